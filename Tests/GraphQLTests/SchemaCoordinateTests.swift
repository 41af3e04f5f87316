import Bytes
import GraphQL
import Testing

/// Schema coordinates (GraphQL 2.15).
struct SchemaCoordinateTests {
    private static let schema: Schema = {
        let text: Text = """
            "Where it begins." type Query { find(by: Search = {name: "x"}, limit: Int): [Pet!] old: Int @deprecated }
            input Search { name: String "Where." place: Place }
            enum Place { HOUSE GARDEN @deprecated(reason: "dug up") }
            interface Named { name: String } type Dog implements Named { name: String }
            union Pet = Dog
            scalar Day @specifiedBy(url: "https://example.org/day")
            directive @note("What." text: String!) repeatable on FIELD
            """
        var builder = SchemaBuilder()
        guard let document = try? Document(parsing: text, limits: .schema) else {
            preconditionFailure("the test's schema is not GraphQL")
        }
        builder.add(document)
        guard let schema = try? builder.build() else {
            preconditionFailure("the test's schema is none")
        }
        return schema
    }()

    static let found: [(Text, String)] = [
        ("Dog", "type Dog implements Named {\n  name: String\n}\n"),
        ("Pet", "union Pet = Dog\n"),
        ("Day", "scalar Day @specifiedBy(url: \"https://example.org/day\")\n"),
        ("Query.find", "find(by: Search = { name: \"x\" }, limit: Int): [Pet!]\n"),
        ("Query.old", "old: Int @deprecated\n"),
        ("Named.name", "name: String\n"),
        ("Query.__schema", "__schema: __Schema!\n"),
        ("Search.place", "\"Where.\"\nplace: Place\n"),
        ("Place.GARDEN", "GARDEN @deprecated(reason: \"dug up\")\n"),
        ("Query.find(limit:)", "limit: Int\n"),
        ("@note", "directive @note(\n  \"What.\"\n  text: String!\n) repeatable on FIELD\n"),
        ("@note(text:)", "\"What.\"\ntext: String!\n"),
        (
            "@deprecated(reason:)",
            "\"Why, and what to use instead.\"\nreason: String! = \"No longer supported\"\n"
        ),
        ("__Type.isOneOf", "isOneOf: Boolean\n"),
    ]

    @Test(arguments: found.indices)
    func `a coordinate leads to a part of the schema`(_ index: Int) throws {
        let (text, printed) = Self.found[index]
        let coordinate = try SchemaCoordinate(parsing: text)
        #expect(coordinate.text == text.string)
        let element = try #require(try Self.schema.element(at: coordinate))
        #expect(Self.schema.printSDL(of: element) == printed)
    }

    static let absent: [(Text, [String])] = [
        ("Dgo", ["Dog"]), ("Query.fnd", ["Query.find"]), ("Place.HOSE", ["Place.HOUSE"]),
        ("Search.nme", ["Search.name"]), ("Query.find(limits:)", ["Query.find(limit:)"]),
        ("Query.find(zzzzzzz:)", []), ("@nte", ["@note"]), ("@note(txt:)", ["@note(text:)"]),
        ("Zebracrossing", []),
    ]

    @Test(arguments: absent.indices)
    func `an unknown last name leads to nothing, and near spellings are known`(_ index: Int) throws
    {
        let (text, near) = Self.absent[index]
        let coordinate = try SchemaCoordinate(parsing: text)
        let element = try Self.schema.element(at: coordinate)
        if element != nil { Issue.record("it was found") }
        #expect(
            Array(Self.schema.coordinates(near: coordinate).map(\.text).prefix(near.count)) == near)
    }

    static let mistakes: [(Text, String)] = [
        ("Dgo.name", "unknown type \"Dgo\". Did you mean \"Dog\""),
        ("Query.fnd(limit:)", "unknown field \"Query.fnd\". Did you mean \"find\""),
        ("@nte(text:)", "unknown directive \"@nte\". Did you mean \"note\"?"),
        ("Pet.name", "type \"Pet\" has neither fields nor values"),
        ("Day.x", "type \"Day\" has neither fields nor values"),
        ("Place.HOUSE(x:)", "unknown field \"Place.HOUSE\"."),
        ("Search.name(x:)", "unknown field \"Search.name\"."),
    ]

    @Test(arguments: mistakes.indices)
    func `something unknown before the last name is an error`(_ index: Int) throws {
        let (text, message) = Self.mistakes[index]
        let coordinate = try SchemaCoordinate(parsing: text)
        let error = #expect(throws: GraphQLError.self) {
            _ = try Self.schema.element(at: coordinate)
        }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    static let malformed: [(Text, Int)] = [
        ("", 1), (".", 1), ("@", 2), ("Dog.", 5), ("Dog .name", 4), ("Dog.name ", 9),
        ("Dog.name(", 10), ("Dog.name()", 10), ("Dog.name(x)", 11), ("Dog.name(x:", 12),
        ("Dog.name(x:).y", 13), ("Dog(x:)", 4), ("@note.text", 6), ("@note(x: )", 9), ("1Dog", 1),
        ("Dög", 2), ("Dog.name(é", 10), ("#Dog", 1), ("\"Dog\"", 1),
    ]

    @Test(arguments: malformed.indices)
    func `what is no coordinate is refused at its column`(_ index: Int) {
        let (text, column) = Self.malformed[index]
        let error = #expect(throws: GraphQLError.self) {
            _ = try SchemaCoordinate(parsing: text)
        }
        #expect(error?.locations.map(\.column) == [column])
    }
}
