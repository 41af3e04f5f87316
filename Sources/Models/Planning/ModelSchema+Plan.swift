import Bytes
public import GraphQL
import JSON
import Records

extension ModelSchema {
    /// Turns a batch of asks for one field into values, or into requests to the store.
    ///
    /// All asks of a batch become one request, except mutations, which are one request each.
    /// Faults of single asks become their values; the others go on.
    public func plan(_ batch: FieldBatch, context: inout RequestContext) -> FieldPlan {
        switch actions[batch.field] {
        case .get(let model):
            return getPlan(batch, model: model) { key($0.arguments, of: model) }
        case .toOne(let target, let foreignKey):
            return getPlan(batch, model: target) { ask in
                let values = foreignKey.map { Self.slots(ask.parent)[$0] }
                if values.contains(where: \.isNull) { return nil }
                return RecordKey(model: target, values: values)
            }
        case .toOneByIndex(let target, let index, let from):
            return firstPlan(batch, target: target, index: index, from: from)
        case .list(let action): return listPlan(batch, action)
        case .write(let model, let kind):
            return writePlan(batch, model: model, kind: kind, context: &context)
        case .subscribe, nil:
            preconditionFailure("\(schema.fields[batch.field].name) is not read from the store")
        }
    }

    /// The slots of the record that a relation field is on.
    static func slots(_ parent: Resolved?) -> [JSONValue] {
        guard case .record(_, let slots)? = parent else {
            preconditionFailure("a relation field on something that is no record")
        }
        return slots
    }

    /// Reads by key; equal keys of a batch are read once. Nil is a key that cannot exist.
    private func getPlan(
        _ batch: FieldBatch, model: ModelID,
        key: (Ask) -> RecordKey?
    ) -> FieldPlan {
        var reading = FieldReading(form: .records, model: model, field: batch.field)
        reading.places.reserveCapacity(batch.asks.count)
        var keys: [RecordKey] = []
        var numbers: [RecordKey: Int] = [:]
        for ask in batch.asks {
            guard let key = key(ask) else {
                reading.places.append(.ready(.null))
                continue
            }
            // One key alone needs no table to be told from others.
            let number = batch.asks.count == 1 ? 0 : numbers[key] ?? keys.count
            if number == keys.count {
                if batch.asks.count > 1 { numbers[key] = number }
                keys.append(key)
            }
            reading.places.append(.answer(number))
        }
        return finish(reading, keys.isEmpty ? [] : [.get(keys)])
    }

    private func firstPlan(
        _ batch: FieldBatch, target: ModelID, index: Int, from: [Int]
    ) -> FieldPlan {
        var reading = FieldReading(form: .firstOfPage, model: target, field: batch.field)
        var queries: [RecordQuery] = []
        for ask in batch.asks {
            let slots = Self.slots(ask.parent)
            let hash = from.map { slots[$0] }
            reading.places.append(.answer(queries.count))
            queries.append(
                RecordQuery(model: target, source: .index(index, hash: hash), limit: 1))
        }
        return finish(reading, [.query(queries)])
    }

    private func listPlan(_ batch: FieldBatch, _ action: ListAction) -> FieldPlan {
        var bindings: [UInt64] = []
        var queries: [RecordQuery] = []
        var places: [FieldReading.Place] = []
        for ask in batch.asks {
            let parent = action.from.isEmpty ? nil : Self.slots(ask.parent)
            do throws(ArgumentFault) {
                let planner = ListPlanner(layout: layout, action: action)
                guard let (query, binding) = try planner.query(ask.arguments, parent: parent)
                else {
                    places.append(.ready(connection(of: action.model, [], token: .null)))
                    continue
                }
                places.append(.answer(queries.count))
                queries.append(query)
                bindings.append(binding)
            } catch {
                places.append(.ready(.failure(error.graphQL)))
            }
        }
        let reading = FieldReading(
            form: .pages(bindings: bindings), model: action.model, field: batch.field,
            places: places)
        return finish(reading, queries.isEmpty ? [] : [.query(queries)])
    }

    private func writePlan(
        _ batch: FieldBatch, model: ModelID, kind: Change.Kind, context: inout RequestContext
    ) -> FieldPlan {
        var reading = FieldReading(form: .written(kind), model: model, field: batch.field)
        var requests: [StoreRequest] = []
        let planner = WritePlanner(
            layout: layout, model: models[model], id: model, embedded: embeddedForms)
        for ask in batch.asks {
            do throws(ArgumentFault) {
                let write = try planner.write(kind, ask.arguments, context: &context)
                reading.places.append(.answer(requests.count))
                requests.append(.write(write))
            } catch {
                reading.places.append(.ready(.failure(error.graphQL)))
            }
        }
        return finish(reading, requests)
    }

    /// Without a request, all values are known.
    private func finish(_ reading: FieldReading, _ requests: [StoreRequest]) -> FieldPlan {
        requests.isEmpty ? .values(values(reading, [])) : .ask(requests, reading)
    }

    /// A record's key from arguments that have its fields' names.
    private func key(_ arguments: JSONObject, of model: ModelID) -> RecordKey {
        let values = layout.models[model].key.map { slot in
            arguments[layout.models[model].fields[slot].name] ?? .null
        }
        return RecordKey(model: model, values: values)
    }
}
