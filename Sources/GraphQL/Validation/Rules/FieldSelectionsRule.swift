import Bytes

/// Field Selections (GraphQL 5.3.1): the type has the field.
enum FieldSelectionsRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.field.append { field, place, context in
            guard let parent = place.parent, place.definition == nil else { return }
            let name = field.name.text
            // At the root of subscriptions it is missing for a reason of its own (5.2.4.1).
            if name == "__typename" { return }
            context.report(
                context.words(
                    "Cannot query field \"\(name)\" on type \"\(context.name(of: parent))\"."
                        + hint(name, on: context.schema.types[parent], context),
                    hidden: "Cannot query field \"\(name)\" here."),
                at: field.offset)
        }
    }

    /// Types that would have the field are a better answer than fields of a similar name.
    private static func hint(
        _ name: Text, on parent: SchemaType, _ context: ValidationContext
    ) -> String {
        let types = typesWithField(name, within: parent, context.schema)
        if !types.isEmpty {
            return Suggestions.question(types, kind: "to use an inline fragment on")
        }
        return context.question(name, among: parent.fields.map { context.schema.fields[$0].name })
    }

    /// The possible types of an abstract type that have the field, and the interfaces they have
    /// it from: interfaces that serve most types first, then the object types.
    private static func typesWithField(
        _ name: Text, within parent: SchemaType, _ schema: Schema
    ) -> [Text] {
        if parent.kind == .object { return [] }
        var objects: [Text] = []
        var interfaces: [TypeID: Int] = [:]
        for id in parent.possibleTypes where schema.field(named: name, on: id) != nil {
            objects.append(schema.types[id].name)
            for interface in schema.types[id].interfaces
            where schema.field(named: name, on: interface) != nil {
                interfaces[interface, default: 0] += 1
            }
        }
        // Of interfaces that serve equally many, one that implements the other has more itself.
        let shared = interfaces.map { (count: $0.value, type: schema.types[$0.key]) }
            .sorted { one, other in
                (-one.count, one.type.interfaces.count, one.type.name)
                    < (-other.count, other.type.interfaces.count, other.type.name)
            }
        return shared.map(\.type.name) + objects.sorted()
    }
}
