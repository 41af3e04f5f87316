import Bytes

/// All Variable Usages Are Allowed (GraphQL 5.8.5): a variable's type fits everywhere it stands.
enum AllVariableUsagesAreAllowedRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.variableUses.append { operation, uses, context in
            if operation.variables.isEmpty { return }
            var names = NameNumbers()
            var declared: [VariableDefinition] = []
            for variable in operation.variables {
                let number = names.number(of: variable.name.text)
                if number < declared.count {
                    declared[number] = variable
                } else {
                    declared.append(variable)
                }
            }
            for use in uses where !context.isFull {
                guard let number = names[use.name] else { continue }
                check(declared[number], use, context)
            }
        }
    }

    private static func check(
        _ variable: VariableDefinition, _ use: VariableUse, _ context: ValidationContext
    ) {
        guard let expected = use.place.type, let type = context.schema.use(of: variable.type)
        else { return }
        if !isAllowed(type, variable.defaultValue, in: use.place, expected) {
            context.report(
                "Variable \"$\(use.name)\" of type \"\(variable.type.text)\" used in position "
                    + context.words(
                        "expecting type \"\(context.text(of: expected))\".",
                        hidden: "expecting another type."),
                at: variable.offset, use.offset)
        } else if let oneOf = use.place.oneOf, !type.isNonNull {
            context.report(
                "Variable \"$\(use.name)\" is of type \"\(variable.type.text)\" but must be "
                    + "non-nullable to be used for "
                    + context.words(
                        "OneOf Input Object \"\(oneOf)\".", hidden: "a OneOf Input Object."),
                at: variable.offset, use.offset)
        }
    }

    /// IsVariableUsageAllowed: a nullable variable may stand in a non-null place if a default
    /// stands in for it when it is absent.
    private static func isAllowed(
        _ type: TypeUse, _ variableDefault: Literal?, in place: ValuePlace, _ expected: TypeUse
    ) -> Bool {
        if expected.isNonNull, !type.isNonNull {
            let hasDefault = variableDefault.map { !$0.isNull } ?? false
            guard hasDefault || place.hasDefault else { return false }
            return fits(type, expected.nullable)
        }
        return fits(type, expected)
    }

    /// AreTypesCompatible.
    private static func fits(_ type: TypeUse, _ expected: TypeUse) -> Bool {
        var type = type
        var expected = expected
        while true {
            if expected.isNonNull {
                guard type.isNonNull else { return false }
                expected = expected.nullable
            }
            type = type.nullable
            switch (type.item, expected.item) {
            case (let item?, let expectedItem?): (type, expected) = (item, expectedItem)
            case (nil, nil): return type.named == expected.named
            default: return false
            }
        }
    }
}
