/// Input Object Field Names (GraphQL 5.6.2): the input object has the field.
enum InputObjectFieldNamesRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.value.append { value, place, context in
            guard case .object(let fields) = value.kind,
                let type = context.inputObject(for: place)
            else { return }
            for field in fields where !context.isFull {
                let name = field.name.text
                if type.inputField(name) != nil { continue }
                context.report(
                    context.words(
                        "Expected value of type \"\(type.name)\" not to include unknown field "
                            + "\"\(name)\"."
                            + context.question(name, among: type.inputFields.lazy.map(\.name)),
                        hidden: "Expected value not to include unknown field \"\(name)\"."),
                    at: field.name.offset)
            }
        }
    }
}
