/// Checks a document against a schema by all rules of GraphQL 5; empty if it may be executed.
///
/// The document is walked once. Cost: linear in the document, but for the steps that
/// `DocumentLimits.stepsMax` bounds; at most `limits.errorsMax` errors, each with a bounded
/// message and a bounded number of places.
public func validate(
    _ document: Document, schema: Schema, limits: DocumentLimits = DocumentLimits(),
    options: ValidationOptions = ValidationOptions()
) -> [GraphQLError] {
    validate(document, schema: schema, limits: limits, options: options, telling: Rules.listeners)
}

/// Checks a document by some of the rules.
func validate(
    _ document: Document, schema: Schema, limits: DocumentLimits = DocumentLimits(),
    options: ValidationOptions = ValidationOptions(), by rules: [any Rule.Type]
) -> [GraphQLError] {
    validate(
        document, schema: schema, limits: limits, options: options,
        telling: Rules.listeners(of: rules))
}

private func validate(
    _ document: Document, schema: Schema, limits: DocumentLimits,
    options: ValidationOptions, telling listeners: Listeners
) -> [GraphQLError] {
    let context = ValidationContext(document, schema, limits, options)
    var walk = Walk(context, listeners)
    walk.run()
    return context.findings.errors(in: document)
}

/// The table of all rules, in the order of the specification.
enum Rules {
    /// What all rules hear; the same for every document.
    static let listeners = listeners(of: all)

    static func listeners(of rules: [any Rule.Type]) -> Listeners {
        var listeners = Listeners()
        for rule in rules { rule.join(&listeners) }
        return listeners
    }

    static let all: [any Rule.Type] = [
        // 5.1, 5.2: documents and operations.
        ExecutableDefinitionsRule.self,
        OperationTypeExistenceRule.self,
        OperationNameUniquenessRule.self,
        LoneAnonymousOperationRule.self,
        SingleRootFieldRule.self,
        // 5.3: fields.
        FieldSelectionsRule.self,
        FieldSelectionMergingRule.self,
        LeafFieldSelectionsRule.self,
        // 5.4: arguments.
        ArgumentNamesRule.self,
        ArgumentUniquenessRule.self,
        RequiredArgumentsRule.self,
        // 5.5: fragments.
        FragmentNameUniquenessRule.self,
        FragmentSpreadTypeExistenceRule.self,
        FragmentsOnCompositeTypesRule.self,
        FragmentsMustBeUsedRule.self,
        FragmentSpreadTargetDefinedRule.self,
        FragmentSpreadsMustNotFormCyclesRule.self,
        FragmentSpreadIsPossibleRule.self,
        // 5.6: values.
        ValuesOfCorrectTypeRule.self,
        InputObjectFieldNamesRule.self,
        InputObjectFieldUniquenessRule.self,
        InputObjectRequiredFieldsRule.self,
        // 5.7: directives.
        DirectivesAreDefinedRule.self,
        DirectivesAreInValidLocationsRule.self,
        DirectivesAreUniquePerLocationRule.self,
        // 5.8: variables.
        VariableUniquenessRule.self,
        VariablesAreInputTypesRule.self,
        AllVariableUsesDefinedRule.self,
        AllVariablesUsedRule.self,
        AllVariableUsagesAreAllowedRule.self,
        // Beyond the specification: what of itself a server tells.
        IntrospectionRule.self,
        IntrospectionDepthRule.self,
    ]
}
