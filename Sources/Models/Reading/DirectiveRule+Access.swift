import GraphQL

/// The directives that restrict access (AppSync contract 6.2), and AppSync's own marks for the
/// authorization mode.
extension DirectiveRule {
    static let access: [DirectiveRule] =
        [auth]
        + ["aws_api_key", "aws_iam", "aws_oidc", "aws_lambda"].map {
            DirectiveRule(name: $0, locations: places, fate: .access)
        }
        + ["aws_auth", "aws_cognito_user_pools"].map {
            DirectiveRule(
                name: $0, locations: places,
                arguments: [DirectiveArgument("cognito_groups", .list(.string))], fate: .access)
        }

    private static let places: Set<DirectiveLocation> = [.object, .fieldDefinition]

    private static let operations = DirectiveValueType.name([
        "create", "update", "delete", "read", "get", "list", "sync", "listen", "search",
    ])

    private static let auth = DirectiveRule(
        name: "auth", locations: places,
        arguments: [
            DirectiveArgument(
                "rules",
                .list(
                    .object([
                        DirectiveArgument(
                            "allow", .name(["owner", "groups", "private", "public", "custom"]),
                            isRequired: true),
                        DirectiveArgument(
                            "provider",
                            .name([
                                "apiKey", "iam", "identityPool", "oidc", "userPools", "function",
                            ])
                        ),
                        DirectiveArgument("ownerField", .string),
                        DirectiveArgument("identityClaim", .string),
                        DirectiveArgument("identityField", .string),
                        DirectiveArgument("groups", .list(.string)),
                        DirectiveArgument("groupsField", .string),
                        DirectiveArgument("groupClaim", .string),
                        DirectiveArgument("groupField", .string),
                        DirectiveArgument("operations", .list(operations)),
                        DirectiveArgument("queries", .list(.name(["get", "list"]))),
                        DirectiveArgument(
                            "mutations", .list(.name(["create", "update", "delete"]))),
                    ])), isRequired: true)
        ], fate: .access)
}
