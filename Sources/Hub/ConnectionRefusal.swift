public import Bytes
import GraphQL
import HTTP1

/// What a connection is told that is not let in: an answer of HTTP before any request, in one
/// piece that goes out with the accept.
public enum ConnectionRefusal {
    /// Seconds after which a refused client is asked to come again.
    static let retrySeconds = 5

    /// The answer, which ends the connection.
    public static func answer(for limit: ReachedLimit, of limits: Limits) -> ByteQueue {
        let value = LimitKey.named(limit.rawValue)?.value(in: limits) ?? 0
        let error = GraphQLError(
            "the hub takes no more connections now: \(limit.rawValue) of \(value) is reached; "
                + "try again")
        var answer = ByteQueue()
        error.response.withBytes {
            HTTPWriter.appendResponse(
                status: 503, contentType: AnswerFormat.json.mediaType,
                fields: [HTTPField("Retry-After", Text("\(retrySeconds)"))], body: $0,
                closes: true, toHEAD: false, to: &answer)
        }
        return answer
    }
}
