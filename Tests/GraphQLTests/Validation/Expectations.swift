import Bytes
import GraphQL
import Testing

/// Expects a document to pass all rules.
func expectValid(
    _ source: String, schema: Schema = Zoo.schema, options: ValidationOptions = .init(),
    at place: SourceLocation = #_sourceLocation
) {
    expectErrors(source, "", schema: schema, options: options, at: place)
}

/// Expects exactly these errors of all rules, one a line: its places, then its message.
func expectErrors(
    _ source: String, _ expected: String, schema: Schema = Zoo.schema,
    options: ValidationOptions = .init(), at place: SourceLocation = #_sourceLocation
) {
    do throws(GraphQLError) {
        let document = try Document(parsing: Text(source))
        let found = validate(document, schema: schema, options: options).map(line)
        let expected = expected.split(separator: "\n").map(String.init)
        #expect(found == expected, sourceLocation: place)
    } catch {
        Issue.record("the document is no document: \(error.message)", sourceLocation: place)
    }
}

private func line(_ error: GraphQLError) -> String {
    let places = error.locations.map { "\($0.line):\($0.column)" }
    return (places + [error.message]).joined(separator: " ")
}

/// Both modules have a type of this name; here the test's own place is meant.
typealias SourceLocation = Testing.SourceLocation
