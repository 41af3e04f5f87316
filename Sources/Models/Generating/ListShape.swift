import Bytes
import GraphQL
import Records

/// The sort fields that a list's condition argument speaks of.
struct ListShape {
    let model: ModelDefinition
    /// The fields, in the index's order; empty if there is no condition.
    let sort: [Int]
    /// The key's name as it stands in the names of composite conditions.
    private let keyName: String

    /// A list that reads an index of a model, or with nil its primary key; `given` sort fields
    /// are known already.
    init(_ model: ModelDefinition, index: Int?, given: Int = 0) {
        self.model = model
        let all = index.map { model.indexes[$0].sort } ?? Array(model.key.dropFirst())
        let rest = Array(all.dropFirst(given))
        // Booleans have no key condition (AppSync contract 4.4).
        sort = rest.contains { Self.family(model.stored[$0]) == .boolean } ? [] : rest
        keyName = index.map { Names.upperFirst(model.indexes[$0].name) } ?? "Primary"
    }

    /// The list behind a relation field.
    init(_ field: ToManyField, of models: [ModelDefinition]) {
        let target = models[field.target]
        let hashCount = field.index.map { target.indexes[$0].hash.count } ?? 1
        self.init(target, index: field.index, given: field.from.count - hashCount)
    }

    /// The condition argument, if there is one.
    var sortArguments: [InputValueDefinition] {
        guard let argument else { return [] }
        return [InputValueDefinition(argument, conditionType)]
    }

    /// Its name: the field's, or the fields' joined.
    var argument: String? {
        if sort.isEmpty { return nil }
        let names = sort.map { model.stored[$0].name }
        return names.count == 1 ? names[0] : Names.composite(names)
    }

    private var conditionType: String {
        if sort.count == 1 {
            return "Model\(Self.family(model.stored[sort[0]]).rawValue)KeyConditionInput"
        }
        return compositeName("ConditionInput")
    }

    private func compositeName(_ end: String) -> String {
        "Model\(model.name)\(keyName)CompositeKey\(end)"
    }

    /// The types of a composite condition, if there is one.
    var compositeTypes: [TypeDefinition] {
        guard sort.count > 1 else { return [] }
        let key = compositeName("Input")
        return [
            .input(
                key, sort.map { (model.stored[$0].name, model.stored[$0].typeName) }),
            .input(
                compositeName("ConditionInput"),
                ["eq", "le", "lt", "ge", "gt"].map { ($0, key) }
                    + [("between", "[\(key)]"), ("beginsWith", key)]),
        ]
    }

    /// How the argument is turned into a condition.
    var compiler: SortConditionCompiler? {
        argument.map { argument in
            SortConditionCompiler(
                argument: Text(argument),
                fields: sort.map { (name: Text(model.stored[$0].name), slot: $0) })
        }
    }

    private static func family(_ field: StoredField) -> FilterFamily {
        if case .scalar(let scalar) = field.base { scalar.filterFamily } else { .string }
    }
}
