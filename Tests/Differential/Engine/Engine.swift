import Bytes
import GraphQL
import JSON

/// Runs cases. A schema is kept until the next one comes.
struct Engine {
    private var sdl: Text = ""
    private var embedded: [Text] = []
    private var schema: Result<Schema, SchemaProblems>?

    /// `{"schema": errors}`, or `{"stage": "syntax", "errors": errors}`, or `{"response": {…}}`.
    /// Without a document: the printed schema, `{"printed": sdl}`.
    mutating func answer(to one: Case) -> JSONValue {
        if schema == nil || sdl != one.sdl || embedded != one.embedded {
            schema = Self.build(one)
            (sdl, embedded) = (one.sdl, one.embedded)
        }
        switch schema! {
        case .failure(let problems): return ["schema": Self.json(problems.errors)]
        case .success(let schema):
            guard let document = one.document else {
                return ["printed": .string(Text(schema.printSDL()))]
            }
            return Self.answer(document, one, schema)
        }
    }

    private static func build(_ one: Case) -> Result<Schema, SchemaProblems> {
        do {
            let document = try Document(parsing: one.sdl, limits: .schema)
            var builder = SchemaBuilder()
            builder.add(document)
            for case .type(let type) in document.definitions
            where !one.embedded.contains(type.name.text) {
                for field in type.fields {
                    builder.setSource(.ask, of: field.name.text, on: type.name.text)
                }
            }
            let schema = try builder.build()
            let errors = validate(schema, definedBy: [document])
            return errors.isEmpty ? .success(schema) : .failure(SchemaProblems(errors: errors))
        } catch let problems as SchemaProblems {
            return .failure(problems)
        } catch let error as GraphQLError {
            return .failure(SchemaProblems(errors: [error]))
        } catch {
            preconditionFailure("building throws nothing else")
        }
    }

    private static func answer(_ document: Text, _ one: Case, _ schema: Schema) -> JSONValue {
        let prepared = PreparedOperation.prepare(
            document, operationName: one.operationName, schema: schema)
        switch prepared.flatMap({ operation in
            operation.coerce(variables: one.variables).map { (operation, $0) }
        }) {
        case .failure(let errors): return refusal(errors)
        case .success((let operation, let variables)):
            return run(operation, variables, one)
        }
    }

    private static func run(
        _ operation: PreparedOperation, _ variables: Variables, _ one: Case
    ) -> JSONValue {
        let resolver = Resolver(one, operation.schema)
        var execution: Execution
        if operation.kind == .subscription {
            if case .failure(let errors) = operation.subscriptionRoot(variables) {
                return refusal(errors)
            }
            execution = Execution(
                event: operation, variables: variables,
                value: one.event.map(resolver.resolved) ?? .null)
        } else {
            execution = Execution(operation, variables: variables)
        }
        var step = execution.start()
        while case .pending(let batches) = step {
            step = execution.resume(batches.map(resolver.answers))
        }
        guard case .done(let bytes) = step else { preconditionFailure("it is pending or done") }
        return ["response": parsed(bytes)]
    }

    private static func refusal(_ errors: OperationErrors) -> JSONValue {
        ["stage": .string(Text("\(errors.stage)")), "errors": json(errors.errors)]
    }

    private static func json(_ errors: [GraphQLError]) -> JSONValue {
        .array(
            errors.map { error in
                var bytes = ByteQueue()
                error.append(json: &bytes)
                return parsed(bytes)
            })
    }

    /// What the bytes say; what is no JSON is shown as the text it is.
    private static func parsed(_ bytes: ByteQueue) -> JSONValue {
        let text = bytes.withBytes { String(decoding: $0, as: UTF8.self) }
        return (try? JSONValue(parsing: text)) ?? .string(Text(text))
    }
}
