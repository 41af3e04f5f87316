import GraphQL

extension DocumentLimits {
    /// Limits that let documents through whose cost is to be seen beyond them.
    static let lifted = DocumentLimits(
        bytesMax: 4 << 20, tokensMax: 1_000_000, aliasesMax: 1_000_000, spreadsMax: 1_000_000,
        directivesMax: 1_000_000, directivesPerPlaceMax: 1_000_000, rootFieldsMax: 1_000_000,
        costMax: .max)
}
