import Bytes

/// Not in the specification: a server may keep its schema to itself.
enum IntrospectionRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.field.append { field, _, context in
            if context.options.allowsIntrospection { return }
            let name = field.name.text
            guard name == "__schema" || name == "__type" else { return }
            context.report(
                "GraphQL introspection is not allowed, but the query contained \"\(name)\".",
                at: field.offset)
        }
    }
}
