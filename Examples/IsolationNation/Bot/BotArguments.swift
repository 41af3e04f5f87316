import Bytes
import Glibc

/// What the command line says.
struct BotArguments: Sendable {
    static let usage = """
        A neighbour who answers: joins the thread of a postcode area and replies to every message.

        usage: IsolationNationBot POSTCODE [options]

        options:
          --name NAME    how the bot is called (default: Iris)
          --url URL      where the hub is (default: ws://127.0.0.1:8080/graphql)
          --api-key KEY  its API key (default: $HELIOGRAPH_API_KEY, then ./data/api-key)

        example:
          IsolationNationBot "SW1A 1AA" --name Iris
        """

    var area: PostcodeArea
    var name = "Iris"
    var url = "ws://127.0.0.1:8080/graphql"
    var key: String?

    init(_ arguments: [String]) throws(BotFailure) {
        var postcode: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                postcode.append(argument)
                continue
            }
            guard ["--name", "--url", "--api-key"].contains(argument) else {
                throw .usage("unknown option \(argument)")
            }
            guard let value = rest.popFirst(), !value.isEmpty else {
                throw .usage("option \(argument) needs a value")
            }
            switch argument {
            case "--name": name = value
            case "--url": url = value
            default: key = value
            }
        }
        guard !postcode.isEmpty else { throw .usage("which postcode?") }
        // SW1A 1AA without quotation marks comes as two words.
        guard let area = PostcodeArea(postcode.joined(separator: " ")) else {
            throw .usage("that is no postcode: write it like SW1A 1AA, or its first half, SW1A")
        }
        self.area = area
        key = key ?? Self.keyFound()
    }

    private static func keyFound() -> String? {
        if let key = getenv("HELIOGRAPH_API_KEY"), key.pointee != 0 { return String(cString: key) }
        // Where `heliograph serve` keeps it. A hub that wants none does not mind its absence.
        guard let file = fopen("./data/api-key", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 1_024)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        let text = String(decoding: line.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return String(text.prefix { !$0.isNewline && $0 != "\0" })
    }
}

/// Ends the bot with a sentence and a number that scripts can tell apart.
struct BotFailure: Error {
    var code: Int32
    var message: String

    static func usage(_ message: String) -> BotFailure {
        BotFailure(code: 2, message: "\(message) (IsolationNationBot --help)")
    }
}
