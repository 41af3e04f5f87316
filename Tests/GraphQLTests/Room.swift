import Bytes
import GraphQL
import Testing

struct SchemaBuilderTests {
    @Test func `a schema is made of parsed definitions`() throws {
        var builder = SchemaBuilder()
        builder.add(
            try Document(
                parsing: """
                    type Query { hello(name: String = "you"): String! }
                    """, limits: .schema))
        let schema = try builder.build()
        let field = try #require(schema.field(named: "hello", on: schema.queryType))
        #expect(schema.fields[field].type.text(in: schema) == "String!")
        #expect(schema.fields[field].source == .ask)
    }
}
