import Bytes
import GraphQL
import Models
import Testing

@Suite struct SchemaErrorTests {
    @Test func `an error is shown with its line, a caret and a suggestion`() {
        let sdl = "type Note @modle {\n  id: ID!\n}"
        #expect(
            errors(of: sdl) == """
                s:1:11: unknown directive @modle
                  type Note @modle {
                            ^ did you mean @model?

                """)
    }

    @Test func `all errors of a schema are reported at once, in the order of the text`() {
        let sdl = """
            type A @model @key(name: "k", felds: ["id"]) {
            \tid: ID
              name: Strin
              b: B @connection(nme: "x")
            }
            type B @model { id: ID! }
            """
        #expect(
            errors(of: sdl) == """
                s:1:15: @key needs the argument fields
                  type A @model @key(name: "k", felds: ["id"]) {
                                ^

                s:1:31: unknown argument felds of @key
                  type A @model @key(name: "k", felds: ["id"]) {
                                                ^ did you mean fields?

                s:2:2: A.id is the key and must be non-null
                  \tid: ID
                  \t^ write ID!

                s:3:9: unknown type Strin of A.name
                    name: Strin
                          ^ did you mean String?

                s:4:20: unknown argument nme of @connection
                    b: B @connection(nme: "x")
                                     ^ did you mean name?

                """)
    }

    /// A schema around the faulty part, and the part's errors: `line:column message (suggestion)`.
    static let table: [(String, [String])] = [
        ("", ["1:1 Syntax Error"]),
        ("type A @model {", ["1:16 Syntax Error"]),
        ("type A { id: ID! }", ["1:1 no type has @model (put @model on each stored type)"]),
        ("type A @model { id: ID! } query { a }", ["1:27 an operation cannot stand in a schema"]),
        (
            "type A @model { id: ID! } fragment F on A { id }",
            ["1:27 a fragment cannot stand in a schema"]
        ),
        (
            "type A @model { id: ID! } extend type A { b: Int }",
            ["1:27 A cannot be extended (write everything into the type itself)"]
        ),
        ("type A @model { id: ID! } type A { b: Int }", ["1:32 A is defined twice"]),
        (
            "type A @model { id: ID! id: ID! }",
            ["1:25 A.id is defined twice"]
        ),
        ("type A @model { id: ID! e: E } enum E { X Y X }", ["1:45 E.X is defined twice"]),
        (
            "type A @model { id: ID! e: E } type E { x: Int x: Int }",
            ["1:48 E.x is defined twice"]
        ),
        (
            "type A @model { id: ID! __x: Int }",
            ["1:25 A.__x cannot begin with two underscores"]
        ),
        (
            "type A @model { id: ID! e: E } type E { __x: Int }",
            ["1:41 E.__x cannot begin with two underscores"]
        ),
        (
            "type A @model { id: ID! e: E } type E { f: F! } type F { e: E! }",
            [
                "1:41 in the generated API: Input Object EInput cannot be provided a finite value "
                    + "because it references itself through fields: EInput.f, FInput.e."
            ]
        ),
        (
            "type A @model { id: ID! d: AWSDate @default(value: \"soon\") }",
            ["1:36 the default of A.d is no value of its type"]
        ),
        (
            "type A @model { id: ID! b: Boolean @default(value: \"yes\") }",
            ["1:36 the default of A.b is no value of its type"]
        ),
        (
            "enum E { X } type A @model { id: ID! e: E @default(value: \"Y\") }",
            ["1:43 the default of A.e is no value of its type"]
        ),
        (
            "type A @model { id: ID! } type Query { a: Int }",
            [
                "1:32 fields of Query cannot be declared "
                    + "(leave the type out; @model makes its fields)"
            ]
        ),
        (
            "type A @model { id: ID! } interface I { a: Nope b(c: Int): Int @model __d: Int }",
            [
                "1:44 unknown type Nope of I.a", "1:51 I.b cannot have arguments",
                "1:64 @model cannot stand on a field (it stands on a type)",
                "1:71 I.__d cannot begin with two underscores",
            ]
        ),
        (
            "type A @model { id: ID! } union U @auth = B | A | A | E enum E { X } union V",
            [
                "1:35 @auth cannot stand here (it stands on a field or on a type)",
                "1:43 unknown type B of U (did you mean A?)",
                "1:51 U has the member A twice", "1:55 E is not a type with fields",
                "1:76 V has no members",
            ]
        ),
        (
            "type A implements A & Nod & Node & Node @model { id: ID! } interface Node { id: ID! }",
            [
                "1:19 A is not an interface", "1:23 unknown type Nod of A (did you mean Node?)",
                "1:36 A implements Node twice",
            ]
        ),
        (
            "type A implements Node @model { id: ID! title: String } interface Node { key: ID! }",
            [
                "1:74 in the generated API: Interface field Node.key expected but A does not "
                    + "provide it."
            ]
        ),
        (
            "type A @model { id: ID! u: U i: I } type B { b: Int } union U = A | B interface I { b: Int }",
            [
                "1:28 A.u cannot be of U, because A has @model "
                    + "(lead to it by a relation, or leave it out of U)",
                "1:33 no type implements I, the type of A.i",
            ]
        ),
        (
            "type A @model { id: ID! } input I { a: Int }",
            [
                "1:33 I is an input type, which is not supported "
                    + "(leave it out; inputs are made from the types)"
            ]
        ),
        (
            "type A @model { id: ID! } scalar Money",
            [
                "1:34 scalar Money is not supported "
                    + "(use String, AWSJSON or another of AppSync's scalars)"
            ]
        ),
        ("type AWSThing @model { id: ID! }", ["1:6 a type cannot be called AWSThing"]),
        ("type __A @model { id: ID! }", ["1:6 a type cannot be called __A"]),
        ("type A implements I @model { id: ID! }", ["1:19 unknown type I of A"]),
        (
            "directive @model on OBJECT type A @model { id: ID! }",
            [
                "1:1 @model cannot be defined here "
                    + "(leave the definition out; the directive is known)"
            ]
        ),
        (
            "schema { query: Root } type A @model { id: ID! }",
            ["1:17 the root type of a query is named Query"]
        ),
        (
            "type A @model @model { id: ID! }",
            ["1:15 @model stands here twice"]
        ),
        (
            "type A { id: ID! @model } type B @model { id: ID! }",
            ["1:18 @model cannot stand on a field (it stands on a type)"]
        ),
        (
            "type A @key(fields: [\"id\"]) { id: ID! } type B @model { id: ID! }",
            ["1:8 @key needs @model on the same type"]
        ),
        (
            "type A @model @searchable { id: ID! }",
            [
                "1:15 @searchable is not supported "
                    + "(leave it out and use the list query with a filter)"
            ]
        ),
        (
            "type A @model(queries: {gt: \"a\"}) { id: ID! }",
            ["1:25 unknown argument gt of @model(queries:) (did you mean get?)"]
        ),
        (
            "type A @model(queries: \"get\") { id: ID! }",
            ["1:24 @model(queries:) wants an object, not a string"]
        ),
        (
            "type A @model(subscriptions: {level: onn}) { id: ID! }",
            ["1:38 @model(subscriptions:)(level:) cannot be onn (did you mean on?)"]
        ),
        (
            "type A @model @key(fields: null) { id: ID! }",
            ["1:28 @key(fields:) cannot be null"]
        ),
        (
            "type A @model @key(name: \"k\", name: \"l\", fields: [\"id\"]) { id: ID! }",
            ["1:31 argument name of @key is given twice"]
        ),
        (
            "type A @model @key(fields: []) { id: ID! }",
            ["1:15 @key needs at least one field"]
        ),
        (
            "type A @model @key(fields: [\"nam\"]) { name: String! }",
            ["1:29 A has no field nam (did you mean name?)"]
        ),
        (
            "type A @model @key(fields: [\"b\", \"b\"]) { b: ID! }",
            ["1:34 b stands twice in one key"]
        ),
        (
            "type A @model @key(fields: [\"b\"]) { b: String }",
            ["1:37 A.b is part of the key and must be non-null (write String!)"]
        ),
        (
            "type A @model @key(fields: [\"b\"]) @key(fields: [\"c\"]) { b: ID! c: ID! }",
            ["1:35 A has two primary keys"]
        ),
        (
            "type A @model @key(fields: [\"b\"], queryField: \"q\") { b: ID! }",
            [
                "1:47 a @key without a name is the primary key and has no queryField "
                    + "(give the key a name)"
            ]
        ),
        (
            "type A @model @key(name: \"k\", fields: [\"b\"]) @key(name: \"k\", fields: [\"b\"]) "
                + "{ id: ID! b: ID! }",
            ["1:46 A has two keys of the name k"]
        ),
        (
            "type A @model @key(name: \"k\", fields: [\"b\"]) { id: ID! b: [ID] }",
            ["1:40 A.b cannot be a key's field, because it is a list"]
        ),
        (
            "type A @model @key(name: \"k\", fields: [\"b\"]) { id: ID! b: E } type E { x: Int }",
            ["1:40 A.b cannot be a key's field, because it is an object"]
        ),
        (
            "type A @model { id: ID! m: [[Int]] }",
            ["1:29 A.m is a list of lists, which is not supported"]
        ),
        (
            "type A @model { id: ID! f(x: Int): Int }",
            ["1:27 A.f cannot have arguments"]
        ),
        (
            "type A @model { id: ID! b: B } type B @model { id: ID! }",
            [
                "1:25 A.b leads to the model B and needs a relation directive "
                    + "(add @belongsTo, @hasOne or @connection)"
            ]
        ),
        (
            "type A @model { id: ID! n: Int @connection }",
            ["1:32 @connection needs a field whose type has @model, and Int has not"]
        ),
        (
            "type A @model { id: ID! } type E { a: A }",
            ["1:39 E.a cannot lead to a model, because E has no @model"]
        ),
        (
            "type A @model { id: ID! } type E { a: Int @default(value: \"1\") }",
            ["1:43 @default cannot stand on a field of a type without @model"]
        ),
        (
            "type A @model { id: ID! n: Int @default(value: \"x\") }",
            ["1:32 the default of A.n is no value of its type"]
        ),
        (
            "type A @model { id: ID! bs: [B] @connection(name: \"x\") } "
                + "type B @model { id: ID! as: [A] @connection(name: \"x\") }",
            [
                "1:108 the connection name x stands on two lists; "
                    + "it ties one list to one object"
            ]
        ),
        (
            "type A @model { id: ID! bs: [B] @connection(name: \"x\") } "
                + "type B @model { id: ID! c: C @connection(name: \"x\") } "
                + "type C @model { id: ID! }",
            [
                "1:105 the connection name x ties A.bs to B.c, which do not lead to each other"
            ]
        ),
        (
            "type A @model { id: ID! bs: [B] @connection(keyName: \"k\", fields: [\"id\"]) } "
                + "type B @model @key(name: \"kk\", fields: [\"a\"]) { id: ID! a: ID! }",
            ["1:54 B has no key of the name k (did you mean kk?)"]
        ),
        (
            "type A @model { id: ID! bs: [B] @connection(keyName: \"k\") } "
                + "type B @model @key(name: \"k\", fields: [\"a\"]) { id: ID! a: ID! }",
            ["1:54 @connection(keyName:) needs fields"]
        ),
        (
            "type A @model { id: ID! b: B @connection(limit: 5) } type B @model { id: ID! }",
            ["1:49 @connection(limit:) needs a list"]
        ),
        (
            "type A @model { id: ID! b: B @connection(name: \"x\", fields: [\"n\"]) n: ID } "
                + "type B @model { id: ID! }",
            ["1:61 @connection cannot have name and fields"]
        ),
        (
            "type A @model { id: ID! n: Int b: B @connection(fields: [\"n\"]) } "
                + "type B @model { id: ID! }",
            ["1:58 A.n is Int, but B.id is ID"]
        ),
        (
            "type A @model { id: ID! n: ID b: B @connection(fields: [\"n\", \"id\"]) } "
                + "type B @model { id: ID! }",
            ["1:56 fields must name 1 field of A, for id of B"]
        ),
        (
            "type A @model { id: ID! aBId: Int b: B @connection } type B @model { id: ID! }",
            ["1:40 A.aBId must be ID to hold the key of B"]
        ),
        (
            "type A @model { id: ID! bs: [B] @connection(limit: 5000) } "
                + "type B @model { id: ID! }",
            ["1:52 a relation's limit is 1 to 1000"]
        ),
        (
            "type A @model { id: ID! bs: [B] @connection(sortField: \"creatd\") } "
                + "type B @model { id: ID! created: Int }",
            ["1:56 B has no field creatd (did you mean created?)"]
        ),
        (
            "type A @model { id: ID! } type B @model(queries: {get: \"getA\"}) { id: ID! }",
            ["1:32 two fields of Query are called getA"]
        ),
        (
            "type A @model { id: ID! } type ModelAConnection { x: Int }",
            ["1:32 ModelAConnection has the name of a type of the generated API"]
        ),
        (
            "type A @model(queries: null) { id: ID! }",
            ["1:1 no model has a query (leave one model its queries)"]
        ),
        (
            "type A @model @key(name: \"k\", fields: [\"b\"], queryField: \"b#y b\") "
                + "{ id: ID! b: Int }",
            [
                "1:58 @key(queryField:) wants a name, not this string "
                    + "(letters, digits and _, with no digit and no two _ at the front)"
            ]
        ),
        (
            "type A @model(queries: {get: \"\"}, subscriptions: {onCreate: [\"a\", \"__b\"]}) "
                + "{ id: ID! b: [B] @manyToMany(relationName: \"1\") } "
                + "type B @model { id: ID! a: [A] @manyToMany(relationName: \"1\") }",
            [
                "1:30 @model(queries:)(get:) wants a name, not this string "
                    + "(letters, digits and _, with no digit and no two _ at the front)",
                "1:67 @model(subscriptions:)(onCreate:) wants a name, not this string "
                    + "(letters, digits and _, with no digit and no two _ at the front)",
                "1:119 @manyToMany(relationName:) wants a name, not this string "
                    + "(letters, digits and _, with no digit and no two _ at the front)",
                "1:183 @manyToMany(relationName:) wants a name, not this string "
                    + "(letters, digits and _, with no digit and no two _ at the front)",
            ]
        ),
        (
            "type A @model @key(name: \"k\", fields: [\"limit\"], queryField: \"q\") "
                + "{ id: ID! limit: Int }",
            ["1:6 q has two arguments limit (give the key's field another name)"]
        ),
        (
            "type A @model { id: ID! b: B @belongsTo } type B @model { id: ID! }",
            [
                "1:30 B has no @hasMany or @hasOne that leads to A "
                    + "(name the foreign key with fields)"
            ]
        ),
        (
            "type A @model { id: ID! b: B @hasMany } type B @model { id: ID! }",
            ["1:30 @hasMany needs a list"]
        ),
        (
            "type A @model { id: ID! bs: [B] @manyToMany(relationName: \"AB\") } "
                + "type B @model { id: ID! }",
            ["1:59 the relation AB stands on 1 field; it ties exactly two lists together"]
        ),
        (
            "type A @model { id: ID! a: Int @index(name: \"i\", projection: {type: KEYS_ONLY}) }",
            [
                "1:69 an index always holds all fields; KEYS_ONLY is not supported "
                    + "(leave projection out)"
            ]
        ),
        (
            "type A @model { id: ID! s: E } enum E @foo { X }",
            ["1:39 unknown directive @foo"]
        ),
        (
            "type A @model @auth(rules: [{allow: onwer}]) { id: ID! }",
            ["1:37 @auth(rules:)(allow:) cannot be onwer (did you mean owner?)"]
        ),
        (
            "type A @model @auth(rules: [{allow: owner, filed: \"x\"}]) { id: ID! }",
            ["1:44 unknown argument filed of @auth(rules:)"]
        ),
        (
            "input AMPLIFY { globalRule: X = 1 } type A @model { id: ID! }",
            ["1:17 unknown setting globalRule"]
        ),
    ]

    @Test func `an enum whose filter has the name of a shared type is refused`() {
        let found = errors(of: "enum Size { S } type Shoe @model { id: ID! size: Size }")
        #expect(found.hasPrefix("s:1:6: two generated types are called ModelSizeInput"))
    }

    @Test(arguments: table)
    func `what is wrong has its place, its words and its suggestion`(
        sdl: String, expected: [String]
    ) throws {
        do {
            _ = try ModelSchema(sdl: Text(sdl))
            Issue.record("no error in \(sdl)")
        } catch {
            let found = error.errors.map { error in
                "\(error.location.line):\(error.location.column) \(error.message)"
                    + (error.suggestion.map { " (\($0))" } ?? "")
            }
            #expect(found.count == expected.count, "\(found)")
            for (found, expected) in zip(found, expected) {
                // The words of syntax errors are the GraphQL room's.
                let isEqual =
                    expected.hasSuffix("Syntax Error")
                    ? found.hasPrefix(expected) : found == expected
                #expect(isEqual, "\(found) instead of \(expected)")
            }
        }
    }

    @Test func `a schema with very many errors is not reported without end`() {
        let fields = (0..<500).map { "f\($0): Unknown\($0)" }.joined(separator: "\n")
        do {
            _ = try ModelSchema(sdl: Text("type A @model { id: ID! \(fields) }"))
            Issue.record("no error")
        } catch {
            #expect(error.errors.count == 100)
        }
    }

    @Test func `lines may end with any line end`() {
        let sdl = "type A\r\n  @model {\r  id: Id!\n}"
        #expect(
            errors(of: sdl) == """
                s:3:7: unknown type Id of A.id
                    id: Id!
                        ^ did you mean ID?

                """)
    }
}
