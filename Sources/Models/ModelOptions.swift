/// What an operator may choose about the API that is made of a schema.
public struct ModelOptions: Sendable, Hashable {
    /// Whether several operators on one field of a subscription's filter are joined with OR, as
    /// AppSync does it (AppSync contract 3.4); query filters always join them with AND.
    public var subscriptionOperatorsAreOred: Bool
    /// How many belongs-to relations a subscription's filter may lead over. Each one is a record
    /// that the store adds to the change.
    public var relationStepsMax: Int

    /// Options; the defaults are AppSync's behaviour.
    public init(subscriptionOperatorsAreOred: Bool = true, relationStepsMax: Int = 5) {
        self.subscriptionOperatorsAreOred = subscriptionOperatorsAreOred
        self.relationStepsMax = relationStepsMax
    }
}
