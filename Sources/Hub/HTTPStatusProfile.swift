import GraphQL

/// Which status codes tell of an operation's errors over HTTP. GraphQL over HTTP has changed them
/// while it was a draft, so that no one set suits every client.
public enum HTTPStatusProfile: String, Sendable, Hashable, CaseIterable {
    /// What the published audits test and most clients expect: 200 under `application/json`,
    /// 400 under `application/graphql-response+json` where nothing could be executed.
    case audits
    /// What the draft says since April 2026, in both media types: 422 for what is well formed and
    /// cannot be executed, 294 where there are errors beside the data.
    case draft

    /// What has become of an operation, as far as its status depends on it.
    enum Outcome {
        /// There is no request in the body or the URL's query.
        case unreadable
        /// There is one, of which a part is missing or of the wrong kind.
        case malformed
        /// The document does not parse.
        case unparsable
        /// Document, operation or variables do not fit, or are not to be had.
        case unfit
        /// A GET that does not say which operation it means: it may be meant as a mutation.
        case undetermined
        /// Executed.
        case complete
        /// Executed, with errors beside the data.
        case partial
        /// Execution had to be given up; there is no data.
        case givenUp
    }

    func status(_ outcome: Outcome, _ format: AnswerFormat) -> Int {
        switch (self, outcome) {
        case (_, .complete): 200
        case (_, .unreadable): 400
        case (.audits, .malformed), (.audits, .undetermined): 400
        case (.audits, .partial): 200
        case (.audits, .unparsable), (.audits, .unfit), (.audits, .givenUp):
            format == .graphqlResponse ? 400 : 200
        case (.draft, .unparsable): 400
        case (.draft, .malformed), (.draft, .unfit), (.draft, .undetermined), (.draft, .givenUp):
            422
        case (.draft, .partial): 294
        }
    }
}

extension OperationErrors {
    /// What these errors mean for the status of the answer to a POST or another method.
    func outcome(isPOST: Bool) -> HTTPStatusProfile.Outcome {
        switch stage {
        case .syntax: .unparsable
        case .operation: isPOST ? .unfit : .undetermined
        case .validation, .variables: .unfit
        }
    }
}
