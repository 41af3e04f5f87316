import Bytes
import GraphQL
import JSON
import Testing

/// Where the reference implementation places errors that a comparison with it found placed
/// elsewhere, or missing.
struct ReferencePlacesTests {
    private func syntaxErrorPlace(_ source: Text) -> String? {
        do throws(GraphQLError) {
            _ = try Document(parsing: source)
            return nil
        } catch {
            return error.locations.map { "\($0.line):\($0.column)" }.joined(separator: " ")
        }
    }

    @Test(arguments: [
        ("\"\"\"what\"\"\"\nqwery A { a }", "1:1"), ("\"what\"\n{ a }", "1:1"),
        ("\"what\" 5", "1:8"), ("\"what\"", "1:7"),
    ])
    func `a description before no definition is where the error is`(source: Text, place: String) {
        #expect(syntaxErrorPlace(source) == place)
    }

    private func schemaErrors(_ sdl: Text) throws -> [String] {
        let document = try Document(parsing: sdl)
        var builder = SchemaBuilder()
        builder.add(document)
        do throws(SchemaProblems) {
            return validate(try builder.build(), definedBy: [document]).map(line)
        } catch {
            return error.errors.map(line)
        }
    }

    private func line(_ error: GraphQLError) -> String {
        (error.locations.map { "\($0.line):\($0.column)" } + [error.message]).joined(separator: " ")
    }

    @Test(arguments: [
        ("type Query { a: [[Nope]] }", "1:19 unknown type \"Nope\"."),
        (
            "type Query { a(x: [Query]): Int }",
            "1:19 type \"Query\" cannot be an input"
        ),
        ("type Query", "1:1 type \"Query\" defines nothing"),
        (
            "type Query implements I { a: Int } interface I { a: [ID] }",
            "1:53 1:30 Interface field I.a expects type [ID] but Query.a is type Int."
        ),
        (
            "type Query implements I { a(x: Int): Int } interface I { a(x: ID): Int }",
            "1:63 1:32 Interface field argument I.a(x:) expects type ID but Query.a(x:) is type "
                + "Int."
        ),
    ])
    func `an error in a schema is where the type is written`(sdl: Text, expected: String) throws {
        #expect(try schemaErrors(sdl) == [expected])
    }

    @Test func `an error in a default is at the part that is wrong`() throws {
        let errors = try schemaErrors("type Query { a(x: [Int] = [1, true]): Int }")
        #expect(errors.count == 1)
        #expect(errors.first?.hasPrefix("1:31 ") == true)
    }

    private func schema(_ sdl: Text) throws -> Schema {
        var builder = SchemaBuilder()
        builder.add(try Document(parsing: sdl))
        return try builder.build()
    }

    @Test func `the only field of a one-of object must be one of its fields`() throws {
        let schema = try schema("type Query { a(x: P): Int } input P @oneOf { k: Int }")
        let errors = validate(
            try Document(parsing: "{ a(x: {nope: 1}) }"), schema: schema
        ).map(line)
        #expect(errors.count == 2)
        #expect(errors.contains { $0.hasPrefix("1:8 Within OneOf Input Object") })
    }

    @Test func `a condition that is given null refuses the request`() throws {
        let schema = try schema("type Query { a: Int b: Int }")
        let operation = try PreparedOperation.prepare(
            "query($v: Boolean = true) { a b @skip(if: $v) }", schema: schema
        ).get()
        let given = operation.coerce(variables: ["v": nil])
        guard case .failure(let errors) = given else {
            Issue.record("null was taken for a boolean")
            return
        }
        #expect(errors.stage == .variables)
        #expect(errors.errors.map(line).first?.hasPrefix("1:43 ") == true)
        #expect(throws: Never.self) { _ = try operation.coerce(variables: [:]).get() }
    }

    @Test func `introspection leaves out built-in scalars that nothing refers to`() throws {
        let schema = try schema("type Query { a(x: ID): Int }")
        let operation = try PreparedOperation.prepare(
            """
            { __schema { types { name } } float: __type(name: "Float") { name } \
            id: __type(name: "ID") { name } }
            """, schema: schema
        ).get()
        var execution = Execution(operation, variables: try operation.coerce(variables: [:]).get())
        guard case .done(let bytes) = execution.start() else {
            Issue.record("introspection asks nobody")
            return
        }
        let response = try bytes.withBytes {
            try JSONValue(parsing: String(decoding: $0, as: UTF8.self))
        }
        let names = response["data"]?["__schema"]?["types"]?.items?.compactMap { $0["name"]?.text }
        let own = names?.filter { !$0.hasPrefix("__") }
        #expect(own == ["Int", "String", "Boolean", "ID", "Query"])
        #expect(response["data"]?["float"]?.isNull == true)
        #expect(response["data"]?["id"]?["name"]?.text == "ID")
    }

    @Test(arguments: [
        ([2, 1], 0, #"{"a":[null,[{"x":2}]]}"#), ([2, 1], 1, #"{"a":[null,[{"x":2}]]}"#),
        ([1, 2, 1], 1, #"{"a":[[{"x":0}],null,[{"x":3}]]}"#),
        ([3, 2], 4, #"{"a":[[{"x":0},{"x":1},{"x":2}],null]}"#),
    ])
    func `a list that becomes null takes no answers from the lists behind it`(
        lengths: [Int], failing: Int, data: String
    ) throws {
        var builder = SchemaBuilder()
        builder.add(try Document(parsing: "type Query { a: [[T!]] } type T { x: Int! }"))
        builder.setSource(.ask, of: "x", on: "T")
        let schema = try builder.build()
        let type = try #require(schema.typeID("T"))
        let operation = try PreparedOperation.prepare("{ a { x } }", schema: schema).get()
        var execution = Execution(operation, variables: try operation.coerce(variables: [:]).get())
        guard case .pending = execution.start() else {
            Issue.record("nothing is asked for")
            return
        }
        let lists = lengths.map { count in
            Resolved.list((0..<count).map { _ in .record(type: type, slots: []) })
        }
        guard case .pending(let batches) = execution.resume([[.list(lists)]]) else {
            Issue.record("the objects ask for nothing")
            return
        }
        let answers = batches[0].asks.indices.map { place in
            place == failing ? Resolved.null : .value(.int(Int64(place)))
        }
        guard case .done(let bytes) = execution.resume([answers]) else {
            Issue.record("there is more to ask")
            return
        }
        let text = bytes.withBytes { String(decoding: $0, as: UTF8.self) }
        #expect(text.hasPrefix("{\"data\":\(data)"))
    }
}
