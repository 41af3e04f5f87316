import Bytes
import JSON
import Records

/// Turns the arguments of a list into a query of the store (AppSync contract 4.5).
struct ListPlanner {
    let layout: DataLayout
    let action: ListAction

    /// The query with what binds its page tokens, or nil if it can find nothing.
    func query(
        _ arguments: JSONObject, parent: [JSONValue]?
    ) throws(ArgumentFault) -> (RecordQuery, binding: UInt64)? {
        var hash: [JSONValue] = []
        var leading: [JSONValue] = []
        if let parent {
            let values = action.from.map { parent[$0] }
            if values.contains(where: \.isNull) { return nil }
            hash = Array(values.prefix(hashCount))
            leading = Array(values.dropFirst(hashCount))
        } else {
            hash = try self.hash(arguments)
        }
        let condition = try sortCondition(arguments, hasHash: !hash.isEmpty)
        var compiler = FilterCompiler(layout: layout, form: .query, argument: "filter")
        let filter = try compiler.compile(arguments["filter"], model: action.model)
        var query = RecordQuery(
            model: action.model, source: source(hash, filter: filter),
            sort: sort(condition.sort, after: leading),
            isDescending: arguments["sortDirection"]?.text == "DESC",
            filter: Filter.and([condition.filter, filter]).simplified,
            limit: try limit(arguments))
        let binding = StableHash.binding(of: query, in: layout)
        if let token = arguments["nextToken"]?.text {
            do throws(PageToken.Fault) {
                query.after = try PageToken.decode(
                    token, binding: binding, sortCount: sortCount(query.source))
            } catch {
                throw ArgumentFault(error.message)
            }
        }
        return (query, binding)
    }

    private var hashCount: Int {
        if case .index(let index) = action.source {
            return layout.models[action.model].indexes[index].hash.count
        }
        return 1
    }

    /// The hash arguments; all of them or, where the list goes without, none.
    private func hash(_ arguments: JSONObject) throws(ArgumentFault) -> [JSONValue] {
        var values: [JSONValue] = []
        for name in action.hashArguments {
            guard let value = arguments[name], !value.isNull else {
                if action.source == .all { return [] }
                throw ArgumentFault("\(action.field) needs the argument \(name)")
            }
            values.append(value)
        }
        return values
    }

    private func source(_ hash: [JSONValue], filter: Filter) -> RecordQuery.Source {
        switch action.source {
        case .all: hash.isEmpty ? source(by: filter) : .key(hash: hash[0])
        case .key: .key(hash: hash[0])
        case .index(let index): .index(index, hash: hash)
        }
    }

    /// An order that reads only records which equal what the filter asks for, if there is one:
    /// amplify-swift loads relations by `filter: {messageThreadId: {eq: …}}` (AppSync contract
    /// 4.10). Without a hash argument no order has been promised.
    private func source(by filter: Filter) -> RecordQuery.Source {
        let model = layout.models[action.model]
        let tests: [Filter]
        if case .and(let parts) = filter { tests = parts } else { tests = [filter] }
        func wanted(_ slot: Int) -> JSONValue? {
            for case .test(let path, .equal(let value)) in tests
            where path == Filter.FieldPath(slot: slot) && !value.isNull {
                return value
            }
            return nil
        }
        if let hash = wanted(model.key[0]) { return .key(hash: hash) }
        for (number, index) in model.indexes.enumerated() {
            let hash = index.hash.compactMap(wanted)
            if hash.count == index.hash.count { return .index(number, hash: hash) }
        }
        return .all
    }

    private func sortCount(_ source: RecordQuery.Source) -> Int {
        switch source {
        case .all: 0
        case .key: layout.models[action.model].key.count - 1
        case .index(let index, _): layout.models[action.model].indexes[index].sort.count
        }
    }

    private func sortCondition(
        _ arguments: JSONObject, hasHash: Bool
    ) throws(ArgumentFault) -> SortConditionCompiler.Condition {
        guard let compiler = action.sort else { return SortConditionCompiler.Condition() }
        let condition = try compiler.compile(arguments[compiler.argument])
        if !hasHash && condition != SortConditionCompiler.Condition() {
            throw ArgumentFault(
                "\(compiler.argument) needs the argument \(action.hashArguments[0]) beside it")
        }
        return condition
    }

    private func sort(
        _ condition: RecordQuery.SortCondition?, after leading: [JSONValue]
    ) -> RecordQuery.SortCondition? {
        guard let last = leading.last else { return condition }
        if let condition {
            return RecordQuery.SortCondition(
                equal: leading + condition.equal, test: condition.test)
        }
        return RecordQuery.SortCondition(equal: leading.dropLast(), test: .equal(last))
    }

    private func limit(_ arguments: JSONObject) throws(ArgumentFault) -> Int {
        guard let limit = arguments["limit"]?.integer else { return action.limit }
        guard limit >= 1, limit <= ListLimits.max else {
            throw ArgumentFault(
                "limit of \(limit) is outside of 1 to \(ListLimits.max); "
                    + "read further pages with nextToken")
        }
        return Int(limit)
    }
}
