public import Bytes
public import GraphQL
public import Records

/// What a request is given from outside: the time and randomness.
public struct RequestContext: Sendable {
    /// Milliseconds since 1970 in UTC: what `createdAt` and `updatedAt` become.
    public var nowMilliseconds: Int64
    /// Where the ids of new records come from.
    public var random: SeededRandom

    /// A context.
    public init(nowMilliseconds: Int64, random: SeededRandom) {
        self.nowMilliseconds = nowMilliseconds
        self.random = random
    }
}

/// What becomes of a batch of asks.
public enum FieldPlan: Sendable {
    /// One value per ask, without the store.
    case values([Resolved])
    /// What to ask of the store, and how to read its answers: see `ModelSchema.values`.
    case ask([StoreRequest], FieldReading)
}

/// How the store's answers become the values of a batch.
public struct FieldReading: Sendable {
    /// What kind of answer is read, and of which model.
    enum Form: Sendable {
        case records
        case pages(bindings: [UInt64])
        case firstOfPage
        case written(Change.Kind)
    }

    /// Where the value of one ask comes from.
    enum Place: Sendable {
        /// It is known already.
        case ready(Resolved)
        /// From the record, page or answer of that number.
        case answer(Int)
    }

    var form: Form
    var model: ModelID
    var field: FieldID
    var places: [Place] = []
}
