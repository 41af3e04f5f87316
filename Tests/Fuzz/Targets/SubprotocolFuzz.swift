import Bytes
import JSON
import Subprotocol

/// The messages of the three dialects, both roles: what is decoded is encoded and decoded to the
/// same message.
enum SubprotocolFuzz {
    static func take(_ input: inout Input) {
        let decision = input.decision()
        let dialect = Dialect.allCases[Int(decision >> 1) % Dialect.allCases.count]
        var tape = JSONTape()
        let bytes = input.rest
        if decision & 1 == 0 {
            takeClientMessage(bytes, dialect, &tape)
        } else {
            takeServerMessage(bytes, dialect, &tape)
        }
        choose(bytes)
    }

    private static func takeClientMessage(
        _ bytes: UnsafeRawBufferPointer, _ dialect: Dialect, _ tape: inout JSONTape
    ) {
        guard let message = try? dialect.decode(bytes, tape: &tape) else { return }
        var output = ByteQueue()
        dialect.encode(message, into: &output)
        let again = output.withBytes { try? dialect.decode($0, tape: &tape) }
        guard let again else { fatalError("FOUND: \(dialect) does not read its own \(message)") }
        // The two shapes of an operation are one to whoever asks for it.
        demand(
            again == message || isSameOperation(again, message),
            "encoded and decoded, a message of \(dialect) differs: \(message) \(again)")
    }

    private static func isSameOperation(_ one: ClientMessage, _ other: ClientMessage) -> Bool {
        guard case .subscribe(let id, let first) = one,
            case .subscribe(let otherID, let second) = other
        else { return false }
        return id == otherID && first.query == second.query && first.variables == second.variables
            && first.operationName == second.operationName
    }

    private static func takeServerMessage(
        _ bytes: UnsafeRawBufferPointer, _ dialect: Dialect, _ tape: inout JSONTape
    ) {
        let parts = try? dialect.nextParts(of: bytes, tape: &tape)
        guard let message = try? dialect.decodeServer(bytes, tape: &tape) else { return }
        if let parts, case .next(let id, let payload) = message {
            demand(Text(utf8: parts.id) == id, "two readings of an id differ")
            demand(payload.array == Array(parts.payload), "two readings of a payload differ")
        }
        guard dialect.has(message) else { return }
        var output = ByteQueue()
        dialect.encode(message, into: &output)
        guard let again = output.withBytes({ try? dialect.decodeServer($0, tape: &tape) }) else {
            fatalError("FOUND: \(dialect) does not read its own \(message)")
        }
        // Not the message itself is compared: a dialect may have no word for part of it.
        var repeated = ByteQueue()
        dialect.encode(again, into: &repeated)
        demand(
            repeated == output, "encoded twice, a message of \(dialect) differs: \(message)")
    }

    /// The choice of a dialect by what an upgrade request shows.
    private static func choose(_ bytes: UnsafeRawBufferPointer) {
        let text = String(decoding: bytes.prefix(2_000), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        _ = Dialect.choose(offered: lines, path: "/graphql/realtime", query: text)
        _ = Dialect.choose(offered: [], path: text, query: lines.last ?? "")
    }
}
