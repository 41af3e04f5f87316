import GraphQL

/// The directives that shape the API (AppSync contract 4.1).
extension DirectiveRule {
    static let shaping: [DirectiveRule] = [
        model, key, connection, primaryKey, index, hasMany, hasOne, belongsTo, manyToMany,
        defaultValue, deprecated,
    ]

    private static let model = DirectiveRule(
        name: "model", locations: [.object],
        arguments: [
            DirectiveArgument(
                "queries",
                .object([DirectiveArgument("get", .apiName), DirectiveArgument("list", .apiName)])),
            DirectiveArgument(
                "mutations",
                .object([
                    DirectiveArgument("create", .apiName), DirectiveArgument("update", .apiName),
                    DirectiveArgument("delete", .apiName),
                ])),
            DirectiveArgument(
                "subscriptions",
                .object([
                    DirectiveArgument("onCreate", .list(.apiName)),
                    DirectiveArgument("onUpdate", .list(.apiName)),
                    DirectiveArgument("onDelete", .list(.apiName)),
                    DirectiveArgument("level", .name(["off", "public", "on"])),
                ])),
            DirectiveArgument(
                "timestamps",
                .object([
                    DirectiveArgument("createdAt", .apiName),
                    DirectiveArgument("updatedAt", .apiName),
                ])),
        ])

    private static let key = DirectiveRule(
        name: "key", locations: [.object], isRepeatable: true,
        arguments: [
            DirectiveArgument("name", .string),
            DirectiveArgument("fields", .list(.string), isRequired: true),
            DirectiveArgument("queryField", .apiName),
        ])

    private static let connection = DirectiveRule(
        name: "connection", locations: [.fieldDefinition],
        arguments: [
            DirectiveArgument("name", .string), DirectiveArgument("keyField", .string),
            DirectiveArgument("sortField", .string), DirectiveArgument("keyName", .string),
            DirectiveArgument("limit", .integer), DirectiveArgument("fields", .list(.string)),
        ])

    private static let primaryKey = DirectiveRule(
        name: "primaryKey", locations: [.fieldDefinition],
        arguments: [DirectiveArgument("sortKeyFields", .list(.string))])

    private static let index = DirectiveRule(
        name: "index", locations: [.fieldDefinition], isRepeatable: true,
        arguments: [
            DirectiveArgument("name", .string),
            DirectiveArgument("sortKeyFields", .list(.string)),
            DirectiveArgument("queryField", .apiName),
            DirectiveArgument(
                "projection",
                .object([
                    DirectiveArgument("type", .name(["ALL", "KEYS_ONLY", "INCLUDE"])),
                    DirectiveArgument("nonKeyAttributes", .list(.string)),
                ])),
        ])

    private static let hasMany = DirectiveRule(
        name: "hasMany", locations: [.fieldDefinition],
        arguments: [
            DirectiveArgument("indexName", .string), DirectiveArgument("fields", .list(.string)),
            DirectiveArgument("references", .list(.string)), DirectiveArgument("limit", .integer),
        ])

    private static let hasOne = DirectiveRule(
        name: "hasOne", locations: [.fieldDefinition],
        arguments: [
            DirectiveArgument("fields", .list(.string)),
            DirectiveArgument("references", .list(.string)),
        ])

    private static let belongsTo = DirectiveRule(
        name: "belongsTo", locations: [.fieldDefinition],
        arguments: [
            DirectiveArgument("fields", .list(.string)),
            DirectiveArgument("references", .list(.string)),
        ])

    private static let manyToMany = DirectiveRule(
        name: "manyToMany", locations: [.fieldDefinition],
        arguments: [
            DirectiveArgument("relationName", .apiName, isRequired: true),
            DirectiveArgument("limit", .integer),
        ])

    private static let defaultValue = DirectiveRule(
        name: "default", locations: [.fieldDefinition],
        arguments: [DirectiveArgument("value", .string, isRequired: true)])

    private static let deprecated = DirectiveRule(
        name: "deprecated", locations: [.fieldDefinition, .enumValue],
        arguments: [DirectiveArgument("reason", .string)])
}
