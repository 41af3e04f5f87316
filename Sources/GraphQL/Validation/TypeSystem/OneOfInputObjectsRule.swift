/// `@oneOf` input objects (GraphQL 3.10.1): every field may be left out, since all but one are.
enum OneOfInputObjectsRule: TypeSystemRule {
    static func check(_ context: inout TypeSystemContext) {
        for type in context.ownTypes where type.isOneOf {
            for field in type.inputFields {
                let coordinate = "\(type.name).\(field.name)"
                if field.type.isNonNull {
                    context.report(
                        "OneOf input field \(coordinate) must be nullable.", at: coordinate)
                }
                if field.hasDefault {
                    context.report(
                        "OneOf input field \(coordinate) cannot have a default value.",
                        at: coordinate)
                }
            }
        }
    }
}
