/// Operation Name Uniqueness (GraphQL 5.2.2.1): no two operations have one name, whatever
/// their kinds.
enum OperationNameUniquenessRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.operation.append { operation, context in
            guard let name = operation.name, let index = context.operation(named: name.text),
                let first = context.operations[index].name, first.offset != name.offset
            else { return }
            context.report(
                "There can be only one operation named \"\(name.text)\".",
                at: first.offset, name.offset)
        }
    }
}
