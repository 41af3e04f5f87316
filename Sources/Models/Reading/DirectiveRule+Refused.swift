import GraphQL

/// Directives that AppSync's transformers know and this hub does not do: refused by name, never
/// passed over.
extension DirectiveRule {
    static let refused: [DirectiveRule] = sentences.map { name, sentence in
        DirectiveRule(
            name: name, locations: Set(DirectiveLocation.allCases), isRepeatable: true,
            fate: .refused(sentence))
    }

    private static let sentences: [(String, String)] = [
        ("versioned", "leave it out; records have versions without it"),
        ("searchable", "leave it out and use the list query with a filter"),
        ("function", "there are no functions to call; let a client of the API do that work"),
        ("http", "there are no outgoing requests; let a client of the API do that work"),
        ("predictions", "leave it out; there is no such service behind the hub"),
        ("mapsTo", "give the type the wished name"),
        ("refersTo", "give the field the wished name"),
        ("sql", "leave it out; the hub keeps the records in its own store"),
        ("validate", "leave it out and check the value before it is sent"),
        ("aws_subscribe", "leave it out; @model makes subscriptions with filters"),
        ("aws_publish", "leave it out; every change is published"),
        ("ttl", "leave it out and delete records when they are no longer wanted"),
    ]
}
