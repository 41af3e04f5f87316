import Bytes
import GraphQL

extension SchemaReader {
    /// Reads `@model(queries:mutations:subscriptions:timestamps:)` (AppSync contract 4.1).
    mutating func readModelDirective(of id: Int) {
        guard let directive = drafts[id].directive("model") else { return }
        var names = models[id].operations
        if let queries = directive["queries"] {
            names.get = queries.members?["get"]?.string?.string
            names.lists = (queries.members?["list"]?.string?.string).map { [$0] } ?? []
        }
        if let mutations = directive["mutations"] {
            names.create = mutations.members?["create"]?.string?.string
            names.update = mutations.members?["update"]?.string?.string
            names.delete = mutations.members?["delete"]?.string?.string
        }
        if let subscriptions = directive["subscriptions"] {
            rename(&names, by: subscriptions)
        }
        models[id].operations = names
        addTimestamps(directive["timestamps"], to: id)
    }

    private func rename(_ names: inout OperationNames, by subscriptions: Literal) {
        let members = subscriptions.members ?? [:]
        if case .enumValue("off")? = members["level"]?.kind {
            names.onCreate = []
            names.onUpdate = []
            names.onDelete = []
            return
        }
        // `level` alone keeps the names; a map with names has those and no others.
        let isNaming = ["onCreate", "onUpdate", "onDelete"].contains { members[$0] != nil }
        if !isNaming && members["level"] != nil { return }
        names.onCreate = strings(members["onCreate"])
        names.onUpdate = strings(members["onUpdate"])
        names.onDelete = strings(members["onDelete"])
    }

    private func strings(_ literal: Literal?) -> [String] {
        guard let literal else { return [] }
        if case .list(let items) = literal.kind { return items.compactMap(\.string?.string) }
        return literal.string.map { [$0.string] } ?? []
    }

    private mutating func addTimestamps(_ setting: Literal?, to id: Int) {
        if let setting, setting.isNull { return }
        let members = setting?.members ?? [:]
        models[id].createdSlot = timestamp("createdAt", members["createdAt"], of: id)
        models[id].updatedSlot = timestamp("updatedAt", members["updatedAt"], of: id)
    }

    /// The slot that holds a time of writing: of a declared field if it can hold one. `null` in
    /// the setting drops it.
    private mutating func timestamp(_ usual: String, _ setting: Literal?, of id: Int) -> Int? {
        if let setting, setting.isNull { return nil }
        let name = setting?.string?.string ?? usual
        if let slot = models[id].slot(of: name) {
            let field = models[id].stored[slot]
            let canHold = field.base == .scalar(.dateTime) || field.base == .scalar(.string)
            return canHold && !field.isList ? slot : nil
        }
        if drafts[id].fields.contains(where: { $0.name == name }) { return nil }
        models[id].stored.append(
            StoredField(
                name: name, base: .scalar(.dateTime), isNonNull: true, origin: .timestamp))
        return models[id].stored.count - 1
    }
}
