import Bytes
import JSON

/// What the hub does about a subscriber that reads more slowly than its events arise.
///
/// The operator names one for all, a client may name another for its connection or for one
/// subscription. None of them slows anybody else down, and each is bounded in bytes.
public enum SlowConsumerPolicy: String, Sendable, Hashable, CaseIterable {
    /// No event is lost while the connection lives: beyond `Limits.outboxBytesMax` it is closed,
    /// with a code after which its client comes again.
    case close
    /// The connection lives: beyond `Limits.parkedBytesMax` the oldest events are dropped, and
    /// the next one says how many.
    case dropOldest = "drop-oldest"
    /// The connection lives, and of each record only the newest event waits.
    case latest

    /// All names as they stand in a sentence.
    public static let allNames = "close, drop-oldest or latest"
}

/// What a client asks of the hub beyond its protocol: the member `heliograph` in the payload of
/// `connection_init` or in an operation's `extensions`.
struct ClientOptions {
    var slowConsumer: SlowConsumerPolicy?
    /// Whether the response is to tell what the operation costs.
    var tellsCost = false

    /// An option has a value that the hub does not know.
    struct Fault: Error {
        /// A sentence without anything that the client said.
        var message: String
    }

    /// Reads the options; what the hub does not know by name is left alone.
    init(_ object: JSONObject?) throws(Fault) {
        guard let value = object?["heliograph"], !value.isNull else { return }
        guard let options = value.object else { throw Fault(message: "heliograph is an object") }
        switch options["cost"] {
        case nil, .null: break
        case .bool(let tellsCost): self.tellsCost = tellsCost
        default: throw Fault(message: "heliograph.cost takes true or false")
        }
        guard let policy = options["slowConsumer"], !policy.isNull else { return }
        slowConsumer = policy.text.flatMap { SlowConsumerPolicy(rawValue: $0.string) }
        if slowConsumer == nil {
            throw Fault(message: "heliograph.slowConsumer takes \(SlowConsumerPolicy.allNames)")
        }
    }
}
