import Bytes
public import GraphQL
import JSON
public import Records

extension ModelSchema {
    /// Turns the store's answers to a plan's requests into one value per ask, in the asks' order.
    public func values(_ reading: FieldReading, _ answers: [StoreAnswer]) -> [Resolved] {
        let found: [Resolved]
        switch (reading.form, answers.first) {
        case (_, nil): found = []
        case (.records, .records(let records)?): found = records.map(value)
        case (.pages(let bindings), .pages(let pages)?):
            found = zip(pages, bindings).map { page, binding in
                let token = page.next.map { PageToken.encode($0, binding: binding) }
                return connection(
                    of: reading.model, page.records, token: token.map { .string($0) } ?? .null)
            }
        case (.firstOfPage, .pages(let pages)?): found = pages.map { value($0.records.first) }
        case (.written(let kind), _):
            found = answers.map { written($0, kind: kind, reading) }
        case (_, .failed(let failure)?):
            return reading.places.map { place in
                if case .ready(let value) = place { value } else { .failure(Self.error(failure)) }
            }
        default: preconditionFailure("an answer of another kind than the request's")
        }
        return reading.places.map { place in
            switch place {
            case .ready(let value): value
            case .answer(let number): found[number]
            }
        }
    }

    private func value(_ record: Record?) -> Resolved {
        guard let record else { return .null }
        return .record(type: recordTypes[record.model], slots: record.values)
    }

    /// A page as the connection type has it: items, then the token.
    func connection(of model: ModelID, _ records: [Record], token: JSONValue) -> Resolved {
        .object(
            type: connectionTypes[model],
            slots: [.list(records.map(value)), token.isNull ? .null : .value(token)])
    }

    private func written(
        _ answer: StoreAnswer, kind: Change.Kind, _ reading: FieldReading
    ) -> Resolved {
        switch answer {
        case .written(let record, _): return value(record)
        case .refused(let refusal): return .failure(error(refusal, reading))
        case .failed(let failure): return .failure(Self.error(failure))
        case .records, .pages, .watching:
            preconditionFailure("an answer of another kind than the request's")
        }
    }

    /// Unprefixed, because amplify-swift compares the whole string (AppSync contract 2.4).
    private func error(_ refusal: WriteRefusal, _ reading: FieldReading) -> GraphQLError {
        let model = models[reading.model]
        let key = model.key.map { model.stored[$0].name }.joined(separator: " and ")
        let field = schema.fields[reading.field].name
        let why =
            switch refusal {
            case .exists:
                "a \(model.name) with this \(key) exists already: update it, or choose another"
            case .missing: "no \(model.name) has this \(key): check it, or create one first"
            case .conditionFailed: "the \(model.name) does not pass the condition"
            }
        return GraphQLError(
            "the conditional request of \(field) failed: \(why)",
            errorType: "ConditionalCheckFailedException")
    }

    private static func error(_ failure: StoreFailure) -> GraphQLError {
        GraphQLError(failure.message, errorType: "InternalFailure")
    }
}
