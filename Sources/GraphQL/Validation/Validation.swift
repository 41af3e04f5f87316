/// Checks a document against a schema.
func validate(
    _ document: Document, schema: Schema, limits: DocumentLimits = DocumentLimits()
) -> [GraphQLError] { [] }
