import Bytes
import GraphQL
import Testing

/// Expects a type system to be built, and exactly these errors of it, one a line.
func expectTypeSystemErrors(
    _ sdl: String, _ expected: String, at place: Testing.SourceLocation = #_sourceLocation
) throws {
    let document = try Document(parsing: Text(sdl), limits: .schema)
    var builder = SchemaBuilder()
    builder.add(document)
    let found = validate(try builder.build(), definedBy: [document]).map { error in
        let places = error.locations.map { "\($0.line):\($0.column)" }
        return (places + [error.message]).joined(separator: " ")
    }
    let lines = expected.split(separator: "\n").map(String.init)
    #expect(found == lines, sourceLocation: place)
}
