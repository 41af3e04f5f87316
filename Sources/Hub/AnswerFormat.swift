import HTTP1

/// In which media type a GraphQL response goes out, and what that means for its status.
enum AnswerFormat {
    /// `application/json`: the older habit; see `HTTPStatusProfile` for its statuses.
    case json
    /// `application/graphql-response+json` of GraphQL over HTTP.
    case graphqlResponse
    /// `text/event-stream`: a stream of results (graphql-sse).
    case eventStream

    var mediaType: StaticString {
        switch self {
        case .json: "application/json; charset=utf-8"
        case .graphqlResponse: "application/graphql-response+json; charset=utf-8"
        case .eventStream: "text/event-stream; charset=utf-8"
        }
    }

    /// What the client takes, by quality and then by its own order; nil if it takes neither.
    /// Without `Accept`, and for `*/*`, that is `application/json`.
    static func accepted(by head: HTTPHead) -> AnswerFormat? {
        var isAnyNamed = false
        var best: (format: AnswerFormat, quality: Double)?
        head.forEachMember(of: "Accept") { member in
            isAnyNamed = true
            let range = MediaRange(member)
            guard let format = format(of: range) else { return }
            let quality = range.quality
            if quality > (best?.quality ?? 0) { best = (format, quality) }
        }
        return isAnyNamed ? best?.format : .json
    }

    /// In which format a request is refused that never gets as far as a stream.
    var ofRefusal: AnswerFormat { self == .eventStream ? .json : self }

    /// Whether the client takes a stream, where there is nothing else to be had.
    static func acceptsEventStream(_ head: HTTPHead) -> Bool {
        guard !head.isMethod("HEAD") else { return false }
        var isAccepted = false
        head.forEachMember(of: "Accept") { member in
            let range = MediaRange(member)
            let isStream =
                range.isType("text/event-stream") || range.isType("text/*")
                || range.isType("*/*")
            if isStream, range.quality > 0 { isAccepted = true }
        }
        return isAccepted
    }

    private static func format(of range: MediaRange) -> AnswerFormat? {
        if range.isType("application/json") || range.isType("*/*") || range.isType("application/*")
        {
            return .json
        }
        if range.isType("text/event-stream") { return .eventStream }
        return range.isType("application/graphql-response+json") ? .graphqlResponse : nil
    }
}
