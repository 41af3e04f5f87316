/// Checks a schema by the rules of GraphQL 3 that `SchemaBuilder` does not need to number types
/// and fields: interfaces are implemented, input objects can be written, directives stand where
/// they may and have the arguments that they take.
///
/// `documents` are those that the schema was built of: the places of errors are found in them,
/// and the uses of directives, which a built schema no longer has. Run it when a schema is
/// loaded; its cost is linear in the schema but for the ways between types.
public func validate(
    _ schema: Schema, definedBy documents: [Document],
    limits: DocumentLimits = .schema, options: ValidationOptions = ValidationOptions()
) -> [GraphQLError] {
    var context = TypeSystemContext(schema, documents, errorsMax: limits.errorsMax)
    for rule in TypeSystemRules.all { rule.check(&context) }
    var errors = context.errors
    for document in documents where errors.count < limits.errorsMax {
        let uses = DirectiveUses(document, schema, limits, options)
        errors += uses.errors().prefix(limits.errorsMax - errors.count)
    }
    return errors
}

/// A rule for type systems (GraphQL 3). One a file.
protocol TypeSystemRule: Sendable {
    /// Reports all that the rule finds.
    static func check(_ context: inout TypeSystemContext)
}

/// The table of all rules for type systems.
enum TypeSystemRules {
    static let all: [any TypeSystemRule.Type] = [
        ImplementedInterfacesRule.self,
        InputObjectCyclesRule.self,
        OneOfInputObjectsRule.self,
        DirectiveCyclesRule.self,
    ]

    /// Rules for executable documents that hold for the directives in definitions too.
    static let directiveUses: [any Rule.Type] = [
        DirectivesAreDefinedRule.self,
        DirectivesAreInValidLocationsRule.self,
        DirectivesAreUniquePerLocationRule.self,
        ArgumentNamesRule.self,
        ArgumentUniquenessRule.self,
        RequiredArgumentsRule.self,
        ValuesOfCorrectTypeRule.self,
        InputObjectFieldNamesRule.self,
        InputObjectFieldUniquenessRule.self,
        InputObjectRequiredFieldsRule.self,
    ]
}
