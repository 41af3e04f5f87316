import Bytes
import GraphQL
import Models

/// Schemas that an operator may give: read or refused with places that lie within the text; the
/// API that comes of one prints to a document that is read again.
enum SchemaFuzz {
    static func take(_ input: inout Input) {
        guard let text = GraphQLFuzz.text(input.rest) else { return }
        let models: ModelSchema
        do throws(SchemaErrors) {
            models = try ModelSchema(sdl: text)
        } catch {
            demand(!error.description.isEmpty, "a refusal without a word")
            return
        }
        let printed = Text(models.schema.printSDL())
        do throws(GraphQLError) {
            _ = try Document(parsing: printed, limits: .schema)
        } catch {
            fatalError("FOUND: the printed API is not read again: \(error.message)")
        }
    }
}
