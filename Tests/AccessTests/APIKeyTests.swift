import Access
import Bytes
import Testing

@Suite struct APIKeyTests {
    @Test func `a new key is the random bytes in lower-case base32 behind da2-`() {
        let zero = APIKey(randomBytes: [UInt8](repeating: 0, count: 16))
        #expect(zero.secret == Text("da2-" + String(repeating: "a", count: 26)))
        // RFC 4648 §10 has "foobar" as MZXW6YTBOI, which the sixteen bytes begin with.
        let words = APIKey(randomBytes: Array("foobarfoobarfoob".utf8))
        #expect(words.secret == "da2-mzxw6ytbojtg633cmfzgm33pmi")
    }

    @Test func `each bit of the random bytes changes the key`() {
        let base = [UInt8](repeating: 0x5a, count: 16)
        var seen: Set<Text> = [APIKey(randomBytes: base).secret]
        for bit in 0..<128 {
            var bytes = base
            bytes[bit / 8] ^= 1 << (bit % 8)
            seen.insert(APIKey(randomBytes: bytes).secret)
        }
        #expect(seen.count == 129)
    }

    @Test func `an operator's key is taken as it is`() throws {
        let key = try APIKey("correct-horse/battery+staple=")
        #expect(key.matches("correct-horse/battery+staple="))
        #expect(!key.matches("correct-horse/battery+staple"))
    }

    @Test(arguments: [
        ("", APIKeyError.length(0)), ("fifteen-bytes-x", .length(15)),
        (String(repeating: "k", count: 257), .length(257)),
        ("sixteen bytes xx", .characters), ("sixteen,bytes,xx", .characters),
        ("sixteen\0bytes-xx", .characters), ("sixteen-bytes-é", .characters),
        ("sixteen-bytes-x\n", .characters),
    ])
    func `a key that cannot be kept or sent is refused`(text: String, expected: APIKeyError) {
        #expect(throws: expected) { try APIKey(Text(text)) }
    }

    @Test func `printing a key, or what holds one, does not show it`() {
        let key = APIKey(randomBytes: [UInt8](repeating: 1, count: 16))
        let secret = key.secret.string
        let credentials = Credentials(apiKey: key.secret, authorization: key.secret)
        let policy = AccessPolicy.apiKey(key)
        var shown = ["\(key)", String(reflecting: key), "\(policy)", String(reflecting: policy)]
        shown += ["\(credentials)", String(reflecting: credentials), "\([policy])"]
        for value: Any in [key, credentials, policy] {
            var output = ""
            dump(value, to: &output)
            shown.append(output)
        }
        for text in shown {
            #expect(!text.contains(secret.dropFirst(4)))
        }
        #expect("\(credentials)" == "credentials: x-api-key, authorization")
        #expect("\(Credentials())" == "credentials: none")
    }
}
