import Bytes
import HubClient
import JSON

/// How the bench's clients connect, and what it says of what they are told.
extension BenchSettings {
    var clientConfiguration: ClientConfiguration {
        var configuration = target.configuration
        configuration.attemptsMax = isOverRestart ? nil : 5
        configuration.retriesWithoutOperations = isOverRestart
        configuration.offersCompression = compresses
        // The hub sees to the signs of life; so many clocks of our own would only cost time.
        configuration.pingIntervalNanoseconds = 120_000_000_000
        configuration.connectTimeoutNanoseconds = 30_000_000_000
        configuration.ackTimeoutNanoseconds = 30_000_000_000
        return configuration
    }

    /// The first error's message in a response; nil if it has none. Only a response in which
    /// the word stands is read.
    func firstError(in payload: UnsafeRawBufferPointer) -> String? {
        guard payload.contains("\"errors\""),
            // A payload has been checked to be JSON; anything else would say nothing anyway.
            let response = try? JSONValue(parsing: payload.bytes),
            let first = response["errors"]?.items?.first
        else { return nil }
        return first["message"]?.text?.string ?? "an error without a message"
    }

    /// The hub refused an operation, for one of these GraphQL errors (a JSON list).
    func refusal(of option: String, _ errors: ByteQueue) -> CommandFailure {
        // The session has checked the list.
        let list = (try? JSONValue(parsing: errors.bytes))?.items ?? []
        return refusal(
            of: option, list.first?["message"]?.text?.string ?? "an error without a message")
    }

    func refusal(of option: String, _ message: String) -> CommandFailure {
        CommandFailure(
            code: .failure,
            message:
                "the hub refused an operation: \(message) (the defaults fit the example schema "
                + "IsolationNation; \(option) takes another operation, with $topic"
                + "\(option == "--mutation" ? " and $body" : ""))")
    }

    /// What is wrong if an event has errors in the place of data.
    func eventFailure(_ payload: UnsafeRawBufferPointer) -> CommandFailure? {
        firstError(in: payload).map { refusal(of: "--subscription", $0) }
    }
}

extension HubTarget {
    /// What to tell when a session gave up.
    func failure(_ error: ClientError) -> CommandFailure { failure(HubError(error)) }
}
