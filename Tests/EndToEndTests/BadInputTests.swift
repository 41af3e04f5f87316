import Foundation
import Testing

/// What the command says to wrong command lines, schemas and data folders: each message names the
/// thing, the limit and the way out, and nothing crashes.
@Suite(.serialized) struct BadInputTests {
    /// A command line, the code it ends with and what its message must say.
    struct Case: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var code: Int32
        var says: [String]
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: String, _ code: Int32, _ says: String...) {
            self.arguments = arguments.split(separator: " ").map {
                $0 == "SCHEMA" ? exampleSchema : String($0)
            }
            self.code = code
            self.says = says
        }
    }

    private static let commandLines = [
        Case("srve", 2, "unknown command srve; did you mean serve?", "--help"),
        Case("serve", 2, "heliograph serve needs SCHEMA", "--help has examples"),
        Case("serve SCHEMA b", 2, "takes SCHEMA and no more words, but 2 words were given"),
        Case("serve SCHEMA --prot 1", 2, "unknown option --prot; did you mean --port?", "--help"),
        Case("serve SCHEMA -p 1", 2, "unknown option -p", "--help lists all"),
        Case("serve SCHEMA --port", 2, "option --port needs a value: --port N"),
        Case("serve SCHEMA --port 1 --port 2", 2, "option --port is given twice"),
        Case("serve SCHEMA --port 65536", 2, "--port takes a whole number from 0 to 65535"),
        Case("serve SCHEMA --port http", 2, "--port takes a whole number from 0 to 65535"),
        Case("serve SCHEMA --shards 0", 2, "--shards takes a whole number from 1 to 64"),
        Case("serve SCHEMA --memory=yes", 2, "option --memory takes no value"),
        Case("serve SCHEMA --memory --data d", 2, "give --data or --memory, not both"),
        Case("serve SCHEMA --api-key short", 2, "API key of 5 bytes", "16 to 256 bytes"),
        Case(
            "serve SCHEMA --memory --no-auth --api-key \(testKey)", 2, "give one of the two"),
        Case(
            "serve SCHEMA --memory --no-auth --cors-origin *", 2,
            "would open a hub that asks for no key to every web page", "leave --no-auth out"),
        Case(
            "serve SCHEMA --cors-origin http://a/b", 2, "--cors-origin http://a/b: an origin is",
            "such as https://app.example"),
        Case("serve SCHEMA --cors-origin null", 2, "null is what every sandboxed page calls"),
        Case("serve SCHEMA --host-name hub:80", 2, "--host-name hub:80: a host name", "port"),
        Case("serve SCHEMA --memory --host localhost", 3, "`localhost` is not an IP address"),
        Case(
            "serve SCHEMA --memory --host 192.0.2.1", 3,
            "address 192.0.2.1 belongs to no interface of this machine", "0.0.0.0"),
        Case("serve nowhere.graphql", 3, "nowhere.graphql cannot be read: No such file"),
        Case("check nowhere.graphql", 1, "nowhere.graphql cannot be read: No such file"),
        Case("check Examples", 1, "Examples cannot be read: Is a directory"),
        Case("serve SCHEMA --data /proc/a/b", 3, "/proc/a/b cannot be made", "--data"),
        Case("serve SCHEMA --data \(exampleSchema)", 3, "it is a file; name a folder with --data"),
        Case(
            "serve SCHEMA --data \(exampleSchema)/d", 3, "a part of this path is a file", "--data"),
    ]

    @Test(arguments: commandLines) func `a wrong command line is told what is right`(
        _ wrong: Case
    ) throws {
        let outcome = try heliograph(wrong.arguments)
        #expect(outcome.code == wrong.code)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("heliograph: "))
        #expect(outcome.errors.split(separator: "\n").count == 1)
        for part in wrong.says { #expect(outcome.errors.contains(part)) }
    }

    @Test(arguments: [("check", 1), ("serve", 3)])
    func `a broken schema is shown with line, caret and suggestion`(
        command: String, code: Int32
    ) throws {
        try withTemporaryFolder { folder in
            let path = folder.file("broken.graphql")
            let sdl = "type A @model {\n  id: ID!\n  name: Strin\n}\ntype B @modle { id: ID! }\n"
            try sdl.write(toFile: path, atomically: true, encoding: .utf8)
            let outcome = try heliograph(command, path)
            #expect(outcome.code == code)
            #expect(outcome.output.isEmpty)
            #expect(
                outcome.errors == """
                    \(path):3:9: unknown type Strin of A.name
                        name: Strin
                              ^ did you mean String?

                    \(path):5:8: unknown directive @modle
                      type B @modle { id: ID! }
                             ^ did you mean @model?

                    heliograph: \(path) has 2 errors; correct what the caret points at

                    """)
        }
    }

    @Test func `bytes that are no schema are refused with a sentence`() throws {
        try withTemporaryFolder { folder in
            let path = folder.file("odd.graphql")
            for (bytes, part) in [
                (Data(), "expected a definition, found the end of the document"),
                (Data([0xff, 0xfe, 0x00]), "is not UTF-8 text: save it as UTF-8"),
                (Data("type A { id: ID".utf8), "found the end of the document"),
                (Data(count: (16 << 20) + 1), "is larger than the limit of 16777216 bytes"),
            ] {
                try bytes.write(to: URL(fileURLWithPath: path))
                let outcome = try heliograph("check", path)
                #expect(outcome.code == 1)
                #expect(outcome.errors.contains(path))
                #expect(outcome.errors.contains(part))
            }
        }
    }

    @Test func `a port that is taken is named, and a new key is shown all the same`() throws {
        try withTemporaryFolder { folder in
            let hub = try RunningHub(["--memory", "--no-auth"])
            let data = folder.file("data")
            let outcome = try heliograph(
                "serve", exampleSchema, "--data", data, "--port", "\(hub.port)")
            #expect(outcome.code == 3)
            #expect(outcome.output.isEmpty)
            let told = "heliograph: port \(hub.port) on 127.0.0.1 is in use (stop the program that "
            #expect(outcome.errors.contains(told))
            let key = try String(contentsOfFile: data + "/api-key", encoding: .utf8)
            #expect(outcome.errors.contains(key))
            try hub.stop()
        }
    }

    @Test func `a folder that may not be written is named`() throws {
        try withTemporaryFolder { folder in
            // Root may write everywhere but where nobody can.
            let closed = geteuid() == 0 ? "/proc" : folder.path
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o500], ofItemAtPath: folder.path)
            let outcome = try heliograph("serve", exampleSchema, "--data", closed)
            #expect(outcome.code == 3)
            #expect(outcome.errors.contains("data folder \(closed) cannot be written to: "))
            #expect(outcome.errors.contains("give this user the right to, or name another with"))
        }
    }

    @Test func `a second hub on a data folder is refused and the first one goes on`() throws {
        try withTemporaryFolder { folder in
            let options = ["--data", folder.path, "--api-key", testKey]
            let hub = try RunningHub(options)
            let outcome = try heliograph(["serve", exampleSchema, "--port", "0"] + options)
            #expect(outcome.code == 3)
            let path = folder.file("heliograph.sqlite")
            #expect(outcome.errors.contains("the data file \(path) is in use by another process"))
            #expect(outcome.errors.contains("two hubs cannot share a data folder"))
            try hub.createUser("u")
            try hub.stop()
        }
    }

    @Test func `an unusable key file is named with a way out`() throws {
        try withTemporaryFolder { folder in
            try "short\n".write(
                toFile: folder.file("api-key"), atomically: true, encoding: .utf8)
            let outcome = try heliograph(
                "serve", exampleSchema, "--port", "0", "--data", folder.path)
            #expect(outcome.code == 3)
            #expect(outcome.errors.contains("\(folder.path)/api-key holds no usable API key"))
            #expect(outcome.errors.contains("delete the file for a new one"))
        }
    }

    /// Ways to spoil a database, and what is said of it.
    enum Damage: String, CaseIterable, Sendable {
        case header, middle, cut, text, folder

        var says: String {
            switch self {
            case .header, .text, .folder:
                "is not a data file of this program; name another file or move this one away"
            case .middle, .cut: "restore it from a backup"
            }
        }

        func apply(to path: String) throws {
            if self == .folder {
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: false)
                return
            }
            var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            switch self {
            case .header: bytes.replaceSubrange(0..<100, with: (0..<100).map { UInt8($0 ^ 0x5a) })
            case .middle:
                // All but the first page, which says what file it is.
                for index in 4_096..<bytes.count { bytes[index] = UInt8(index * 31 & 0xff) }
            case .cut: bytes.removeLast(bytes.count / 2)
            case .text: bytes = Array("hello\n".utf8)
            case .folder: break
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }
    }

    @Test(arguments: Damage.allCases)
    func `a spoilt database is named, left as it is and not served`(_ damage: Damage) throws {
        try withTemporaryFolder { folder in
            let options = ["--data", folder.path, "--api-key", testKey]
            let hub = try RunningHub(options)
            for number in 1...20 { try hub.createUser("u\(number)") }
            try hub.stop()
            let path = folder.file("heliograph.sqlite")
            try damage.apply(to: path)
            let before = damage == .folder ? nil : try Data(contentsOf: URL(fileURLWithPath: path))
            let outcome = try heliograph(["serve", exampleSchema, "--port", "0"] + options)
            #expect(outcome.code == 3)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("heliograph: "))
            #expect(outcome.errors.split(separator: "\n").count == 1)
            #expect(outcome.errors.contains(path))
            #expect(outcome.errors.contains(damage.says))
            let after = damage == .folder ? nil : try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(before == after)
        }
    }
}
