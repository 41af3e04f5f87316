import Bytes
import GraphQL
import Testing

struct OperationTypeExistenceRuleTests {
    @Test func `operations without a root type are refused`() throws {
        var builder = SchemaBuilder()
        builder.add(try Document(parsing: "type Query { hello: String }", limits: .schema))
        expectErrors(
            """
            query Q { hello }
            mutation M { change }
            subscription S { changed }
            """,
            """
            2:1 The mutation operation is not supported by the schema.
            3:1 The subscription operation is not supported by the schema.
            """,
            schema: try builder.build())
    }
}
