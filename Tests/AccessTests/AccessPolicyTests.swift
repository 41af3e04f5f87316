import Access
import Bytes
import JSON
import Testing

@Suite struct AccessPolicyTests {
    let key = APIKey(randomBytes: (0..<16).map { 255 - $0 })

    /// Every key that is not the right one, by name.
    private var wrongKeys: [(name: String, key: Text)] {
        let right = key.secret.string
        return [
            ("empty", ""), ("a space", " "), ("NUL", "\0"),
            ("cut", Text(String(right.dropLast()))),
            ("cut at the front", Text(String(right.dropFirst()))),
            ("only the prefix", "da2-"),
            ("longer", Text(right + "a")), ("space behind", Text(right + " ")),
            ("space before", Text(" " + right)),
            ("other case", Text(right.uppercased())),
            ("first letter in other case", Text("D" + right.dropFirst())),
            ("doubled", Text(right + right)), ("doubled with comma", Text(right + "," + right)),
            ("NUL behind", Text(right + "\0")),
            ("NUL and more behind", Text(right + "\0" + right)),
            ("NUL inside", Text(right.dropLast() + "\0")),
            ("last letter changed", Text(right.dropLast() + (right.last == "a" ? "b" : "a"))),
            ("with a combining mark", Text(right + "\u{301}")),
            ("as a bearer token", Text("Bearer " + right)),
        ]
    }

    private func answer(_ credentials: Credentials) -> Result<Permit, AccessRefusal> {
        Result { () throws(AccessRefusal) in
            try AccessPolicy.apiKey(key).permit(for: credentials)
        }
    }

    @Test func `the right key opens everything`() {
        #expect(answer(Credentials(apiKey: key.secret)) == .success(.full))
    }

    @Test func `a wrong key is refused in every way in`() {
        for (name, wrong) in wrongKeys {
            var fields = Credentials()
            fields.gather(name: "x-api-key", value: wrong)
            let member = Credentials(["x-api-key": .string(wrong)])
            for credentials in [Credentials(apiKey: wrong), fields, member] {
                #expect(answer(credentials) == .failure(.keyWrong), "\(name)")
            }
        }
    }

    @Test func `no key at all is refused, and so is another kind of credentials`() {
        #expect(answer(Credentials()) == .failure(.keyMissing))
        #expect(answer(Credentials(authorization: key.secret)) == .failure(.keyMissing))
        #expect(answer(Credentials(["host": "localhost"])) == .failure(.keyMissing))
    }

    @Test func `a member that is no string is a wrong key`() {
        for value: JSONValue in [nil, 7, true, [.string(key.secret)], ["key": .string(key.secret)]]
        {
            #expect(answer(Credentials(["x-api-key": value])) == .failure(.keyWrong))
        }
    }

    @Test func `a key given twice is refused even if both are right`() {
        var fields = Credentials()
        fields.gather(name: "x-api-key", value: key.secret)
        fields.gather(name: "X-API-KEY", value: key.secret)
        #expect(answer(fields) == .failure(.keyWrong))
        fields = Credentials(
            JSONObject([("x-api-key", .string(key.secret)), ("X-Api-Key", .string("other"))]))
        #expect(answer(fields) == .failure(.keyWrong))
    }

    @Test(arguments: ["x-api-key", "X-Api-Key", "X-API-KEY", "x-Api-kEY"])
    func `the name is taken in any case`(name: String) {
        var fields = Credentials()
        fields.gather(name: Text(name), value: key.secret)
        #expect(answer(fields) == .success(.full))
        #expect(
            answer(Credentials(JSONObject([(Text(name), .string(key.secret))]))) == .success(.full))
    }

    @Test(arguments: ["x-api-ke", "x-api-key ", "xxapi-key", "x-api-key\0", "x\u{d}api-key"])
    func `another name is passed over`(name: String) {
        var fields = Credentials()
        fields.gather(name: Text(name), value: key.secret)
        #expect(fields.isEmpty)
    }

    @Test func `an open hub takes everybody`() throws {
        for credentials in [Credentials(), Credentials(apiKey: ""), Credentials(apiKey: "x")] {
            #expect(try AccessPolicy.open.permit(for: credentials) == .full)
        }
    }

    @Test func `the place closer to the operation decides alone`() {
        let right = Credentials(apiKey: key.secret)
        let wrong = Credentials(apiKey: "")
        #expect(answer(right.overridden(by: Credentials())) == .success(.full))
        #expect(answer(wrong.overridden(by: right)) == .success(.full))
        #expect(answer(right.overridden(by: wrong)) == .failure(.keyWrong))
        let token = Credentials(authorization: "")
        #expect(answer(right.overridden(by: token)) == .failure(.keyMissing))
    }

    @Test func `a refusal has the class that clients look for`() {
        for refusal in [AccessRefusal.keyMissing, .keyWrong] {
            #expect(refusal.errorType == "UnauthorizedException")
            #expect(refusal.message.hasPrefix("You are not authorized to make this call"))
            #expect(!refusal.message.contains(key.secret.string))
        }
    }
}
