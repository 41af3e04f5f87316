/// Operation Type Existence (GraphQL 5.2.1.1): the schema has a root type for the operation.
enum OperationTypeExistenceRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.operation.append { operation, context in
            if context.schema.rootType(operation.kind) == nil {
                context.report(
                    "The \(operation.kind.rawValue) operation is not supported by the schema.",
                    at: operation.offset)
            }
        }
    }
}
