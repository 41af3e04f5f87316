import Bytes
import HTTP1

/// In which media type a GraphQL response goes out, and what that means for its status.
enum AnswerFormat {
    /// `application/json`: the older habit, in which errors of the document still answer 200.
    case json
    /// `application/graphql-response+json` of GraphQL over HTTP.
    case graphqlResponse

    var mediaType: StaticString {
        switch self {
        case .json: "application/json; charset=utf-8"
        case .graphqlResponse: "application/graphql-response+json; charset=utf-8"
        }
    }

    /// The status for a document that does not parse, validate or name its operation, or
    /// variables that do not fit (GraphQL over HTTP, as the published audits test it).
    var documentErrorStatus: Int { self == .json ? 200 : 400 }

    /// What the client takes, by quality and then by its own order; nil if it takes neither.
    /// Without `Accept`, and for `*/*`, that is `application/json`.
    static func accepted(by head: HTTPHead) -> AnswerFormat? {
        let ranges = head.members(of: "Accept")
        if ranges.isEmpty { return .json }
        var best: (format: AnswerFormat, quality: Double)?
        for range in ranges {
            let (type, quality) = parse(range.string)
            guard quality > 0, quality > (best?.quality ?? 0) else { continue }
            switch type {
            case "*/*", "application/*", "application/json": best = (.json, quality)
            case "application/graphql-response+json": best = (.graphqlResponse, quality)
            default: continue
            }
        }
        return best?.format
    }

    /// A media range without its parameters, in lower case, and its quality.
    private static func parse(_ range: String) -> (type: String, quality: Double) {
        let parts = range.split(separator: ";").map { $0.trimmed.lowercased() }
        let quality = parts.dropFirst().first { $0.hasPrefix("q=") }
        return (parts.first ?? "", quality.map { Double($0.dropFirst(2)) ?? 0 } ?? 1)
    }
}

extension Substring {
    /// Without blanks at both ends.
    var trimmed: Substring {
        var result = self
        while result.first == " " || result.first == "\t" { result.removeFirst() }
        while result.last == " " || result.last == "\t" { result.removeLast() }
        return result
    }
}
