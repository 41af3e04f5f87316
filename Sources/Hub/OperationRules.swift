/// Which documents are run, how they may be named, and which statuses tell of their errors.
public struct OperationRules: Sendable {
    /// The status codes of answers over HTTP.
    public var statuses = HTTPStatusProfile.audits
    /// Documents that the operator knows beforehand; nil if there is no such list.
    public var trusted: TrustedDocuments?
    /// Whether only those are run. Then there must be a list.
    public var takesTrustedOnly = false
    /// Whether clients may have a document remembered under its SHA-256 (automatic persisted
    /// queries). Where only trusted documents are run, nothing is remembered.
    public var remembersDocuments = true

    /// The defaults.
    public init() {}
}
