import HTTP1

/// In which media type a GraphQL response goes out, and what that means for its status.
enum AnswerFormat {
    /// `application/json`: the older habit; see `HTTPStatusProfile` for its statuses.
    case json
    /// `application/graphql-response+json` of GraphQL over HTTP.
    case graphqlResponse

    var mediaType: StaticString {
        switch self {
        case .json: "application/json; charset=utf-8"
        case .graphqlResponse: "application/graphql-response+json; charset=utf-8"
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

    private static func format(of range: MediaRange) -> AnswerFormat? {
        if range.isType("application/json") || range.isType("*/*") || range.isType("application/*")
        {
            return .json
        }
        return range.isType("application/graphql-response+json") ? .graphqlResponse : nil
    }
}
