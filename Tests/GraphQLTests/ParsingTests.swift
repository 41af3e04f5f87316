import Bytes
import GraphQL
import JSON
import Testing

/// The grammar of documents (GraphQL 2, 3).
struct ParsingTests {
    private func operation(_ text: Text) throws -> OperationDefinition {
        let document = try Document(parsing: text)
        guard case .operation(let operation) = document.definitions[0] else {
            throw GraphQLError("no operation")
        }
        return operation
    }

    private func type(_ text: Text) throws -> TypeDefinition {
        let document = try Document(parsing: text)
        guard case .type(let type) = document.definitions[0] else {
            throw GraphQLError("no type")
        }
        return type
    }

    @Test func `an operation keeps all its parts`() throws {
        let operation = try operation(
            """
            "what" subscription S("why" $a: [ID!]! = ["x"] @d, $b: Int) @e(x: $a) {
              alias: field(p: $b, q: {r: [$a]}) @skip(if: true) { ...F @g ... on T @h { x } ... { y } }
            }
            """)
        #expect(operation.kind == .subscription)
        #expect(operation.description == "what")
        #expect(operation.variables.map(\.type.text) == ["[ID!]!", "Int"])
        #expect(operation.variables[0].description == "why")
        #expect(operation.variables[0].directives.count == 1)
        #expect(operation.directives[0].argument("x")?.hasVariables == true)
        guard case .field(let field) = operation.selections[0] else { return }
        #expect(field.responseName == "alias")
        #expect(field.name.text == "field")
        #expect(field.arguments.map(\.name.text) == ["p", "q"])
        #expect(field.selections.count == 3)
        guard case .spread(let spread) = field.selections[0],
            case .inline(let typed) = field.selections[1],
            case .inline(let bare) = field.selections[2]
        else {
            Issue.record("the fragments are not in their order")
            return
        }
        #expect(spread.name.text == "F" && spread.directives.count == 1)
        #expect(typed.typeCondition?.text == "T" && bare.typeCondition == nil)
    }

    @Test func `keywords are ordinary names elsewhere`() throws {
        let operation = try operation(
            "query query { query mutation: on type: fragment(input: true) { null on } }")
        #expect(operation.name?.text == "query")
        #expect(operation.selections.count == 3)
    }

    @Test func `a type keeps all its parts`() throws {
        let type = try type(
            """
            \"\"\"
            A thing.
            \"\"\"
            type T implements & A & B @model(x: {y: 1}) {
              "an id" id: ID! @key
              list("how many" limit: Int = 5 @d, after: [String!]): [T!]!
            }
            """)
        #expect(type.description == "A thing.")
        #expect(type.interfaces.map(\.text) == ["A", "B"])
        #expect(type.directives.map(\.name.text) == ["model"])
        #expect(type.fields.map(\.type.text) == ["ID!", "[T!]!"])
        #expect(type.fields[1].arguments.map(\.name.text) == ["limit", "after"])
        #expect(type.fields[1].arguments[0].defaultValue != nil)
    }

    @Test func `every kind of definition and extension is read`() throws {
        let document = try Document(
            parsing: """
                "the schema" schema @a { query: Q mutation: M subscription: S }
                scalar Date @specifiedBy(url: "x")
                interface I implements J { a: Int }
                union U @b = | A | B
                enum E { "first" A @c B }
                input In { a: Int = 1 @d b: [In!] }
                directive @x("arg" a: Int = 1) repeatable on | FIELD | OBJECT
                type Empty
                extend schema @z
                extend schema { query: Q }
                extend scalar Date @z
                extend type T implements K
                extend interface I { b: Int }
                extend union U = C
                extend enum E { C }
                extend input In { c: Int }
                """)
        #expect(document.definitions.count == 16)
        guard case .directive(let directive) = document.definitions[6] else { return }
        #expect(directive.isRepeatable)
        #expect(directive.locations == [.field, .object])
    }

    static let mistakes: [Text] = [
        "", "{", "{}", "{ a { } }", "{ a( ) }", "query Q() { a }", "query ($a) { a }",
        "query ($a: Int = $b) { a }", "{ a: }", "{ a(b) }", "{ ...on }", "{ ... on T }",
        "fragment on on T { a }", "fragment F { a }", "fragment F on T", "\"d\" { a }",
        "{ a } }", "query Q { a } foo", "type", "type T { }", "type T { a }", "type T { a: }",
        "enum E { true }", "enum E { }", "input I { a: $b }", "union U = ", "union U = | ",
        "directive @x on", "directive @x on NOWHERE", "directive x on FIELD", "schema { }",
        "schema { foo: Q }", "extend type T", "extend schema", "\"d\" extend type T { a: Int }",
        "extend directive @x on FIELD", "type T implements { a: Int }", "{ a(b: [1) }",
        "query Q($a: [Int) { a }", "query Q($a: Int!!) { a }", "{ a @ }", "query Q { a } \"x\"",
    ]

    @Test(arguments: mistakes)
    func `what is not GraphQL is a syntax error`(_ text: Text) {
        do throws(GraphQLError) {
            _ = try Document(parsing: text)
            Issue.record("it was taken")
        } catch {
            #expect(error.message.hasPrefix("Syntax Error: "))
            #expect(error.locations.count == 1)
        }
    }

    static let deep: [(String, String, String, String)] = [
        ("", "{a", "", "}"), ("{ a(b: ", "[", "1", "]"), ("{ a(b: ", "{c: ", "1", "}"),
        ("query ($a: ", "[", "Int", "]"), ("{ ", "... { ", "a", "}"),
        ("type T { a: ", "[", "A", "]"),
        ("{ ", "... on T { ", "a", "}"), ("input I { a: Int = ", "[", "", "]"),
    ]

    @Test(arguments: deep.indices)
    func `twenty thousand levels are refused without a crash`(_ index: Int) {
        let (head, open, middle, close) = Self.deep[index]
        let text =
            head + String(repeating: open, count: 20_000) + middle
            + String(repeating: close, count: 20_000)
        do throws(GraphQLError) {
            _ = try Document(parsing: Text(text), limits: .schema)
            Issue.record("it was taken")
        } catch {
            #expect(error.message.contains("nested deeper than 100 levels"))
        }
    }

    @Test func `a document over a limit is refused with the limit`() {
        let limits = DocumentLimits(bytesMax: 100, tokensMax: 20)
        do throws(GraphQLError) {
            _ = try Document(parsing: Text(String(repeating: " ", count: 200)), limits: limits)
        } catch {
            #expect(
                error.message == """
                    document of 200 bytes is over the limit of 100 (document-bytes-max): send it in \
                    parts, long values as variables
                    """)
        }
        do throws(GraphQLError) {
            _ = try Document(
                parsing: Text("{" + String(repeating: "a ", count: 30) + "}"), limits: limits)
        } catch {
            #expect(error.message.contains("more than 20 tokens"))
        }
    }
}
