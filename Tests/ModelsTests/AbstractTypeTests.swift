import Bytes
import GraphQL
import JSON
import Models
import Records
import Testing

/// Interfaces and unions that an operator declares beside the models.
@Suite struct AbstractTypeTests {
    static let sdl: Text = """
        interface Node { "Never changes." id: ID! }
        interface Sized { size: Int! }
        interface Media implements Sized { size: Int! url: AWSURL }
        type Post implements Node @model {
          id: ID!
          title: String
          cover: Media
          parts: [Part!]
          box: Box
        }
        type Tag implements Node @model { id: ID! sized: [Sized] }
        type Image implements Media & Sized { size: Int! url: AWSURL width: Int }
        type Film implements Media & Sized { size: Int! url: AWSURL seconds: Float }
        type Note { text: String! on: AWSDate }
        "What a post is made of."
        union Part = Note | Image | Box
        type Box { name: String first: Part all: [Part] plain: Note }
        """

    var run: Run

    init() throws { run = Run(try ModelSchema(sdl: Self.sdl)) }

    @Test func `interfaces and unions stand in the API, with inputs that name the type`() {
        let printed = run.models.schema.printSDL()
        for part in [
            "interface Node {\n  \"Never changes.\"\n  id: ID!\n}\n",
            "interface Media implements Sized {\n  size: Int!\n  url: AWSURL\n}\n",
            "type Post implements Node {\n", "type Image implements Media & Sized {\n",
            "\"What a post is made of.\"\nunion Part = Note | Image | Box\n",
            "input PartInput @oneOf {\n  note: NoteInput\n  image: ImageInput\n  box: BoxInput\n}\n",
            "input MediaInput @oneOf {\n  image: ImageInput\n  film: FilmInput\n}\n",
            "  parts: [PartInput!]\n", "  first: PartInput\n", "  cover: MediaInput\n",
        ] {
            #expect(printed.contains(part), "\(part) is not in \(printed)")
        }
        #expect(!printed.contains("NodeInput"))
    }

    /// The values that a creation of a post stores, by field.
    private mutating func stored(_ input: String) throws -> [JSONValue] {
        let requests = try run.requests(
            Text("mutation { createPost(input: {\(input)}) { id } }"))
        guard case .write(let write)? = requests.first, case .create(let values) = write.action
        else { throw OperationErrors(stage: .operation, errors: []) }
        return try ["cover", "parts", "box"].map { values[try run.slot("Post", $0)] }
    }

    @Test mutating func `a value of a union is stored with its type`() throws {
        let values = try stored(
            """
            cover: {film: {size: 1, seconds: 2.5}}
            parts: [{note: {text: "a"}}, {box: {name: "b", first: {image: {size: 3}}, \
            all: [{note: {text: "c"}}, null], plain: {text: "d"}}}]
            """)
        #expect(values[0] == ["__typename": "Film", "size": 1, "seconds": 2.5])
        #expect(
            values[1] == [
                ["__typename": "Note", "text": "a"],
                [
                    "__typename": "Box", "name": "b",
                    "first": ["__typename": "Image", "size": 3],
                    "all": [["__typename": "Note", "text": "c"], nil], "plain": ["text": "d"],
                ],
            ])
        #expect(values[2] == .null)
    }

    @Test mutating func `updates store values of unions with their type too`() throws {
        let requests = try run.requests(
            """
            mutation { updatePost(input: {id: "1", box: {first: {note: {text: "x"}}}}) { id } }
            """)
        guard case .write(let write)? = requests.first, case .update(let updates) = write.action
        else {
            Issue.record("no update")
            return
        }
        let slot = try run.slot("Post", "box")
        #expect(
            updates.first { $0.slot == slot }?.value
                == ["first": ["__typename": "Note", "text": "x"]])
    }

    @Test(arguments: [
        "{}", "{note: null}", "{note: {text: \"a\"}, image: {size: 1}}", "{film: {size: 1}}",
        "{note: {}}", "{note: {text: \"a\", on: \"soon\"}}",
    ])
    mutating func `a value of a union is exactly one of its types`(part: String) throws {
        let text = Text("mutation { createPost(input: {parts: [\(part)]}) { id } }")
        guard
            case .failure(let failure) = PreparedOperation.prepare(
                text, schema: run.models.schema)
        else {
            Issue.record("it was taken")
            return
        }
        #expect(failure.stage == .validation)
    }

    @Test mutating func `what is stored is read through fragments`() throws {
        let stored = try run.record(
            "Post",
            [
                "id": "1", "title": "t",
                "cover": ["__typename": "Film", "size": 1, "seconds": 2.5],
                "parts": [
                    ["__typename": "Note", "text": "a"],
                    ["__typename": "Box", "first": ["__typename": "Image", "size": 3]],
                ],
            ])
        let response = try run.response(
            """
            { getPost(id: "1") {
              ... on Node { id __typename }
              cover { __typename size ... on Film { seconds } ... on Image { width } }
              parts { ... on Note { text } ... on Sized { size } ... on Box { first { ...P } } }
            } }
            fragment P on Part { __typename ... on Media { url size } }
            """
        ) { _ in [.records([stored])] }
        #expect(
            response["data"]?["getPost"] == [
                "id": "1", "__typename": "Post",
                "cover": ["__typename": "Film", "size": 1, "seconds": 2.5],
                "parts": [
                    ["text": "a"], ["first": ["__typename": "Image", "url": nil, "size": 3]],
                ],
            ])
        #expect(response["errors"] == nil)
    }

    @Test func `events carry values of unions`() throws {
        let record = try run.record(
            "Post", ["id": "1", "parts": [["__typename": "Note", "text": "a"]]])
        let operation = try run.prepare(
            "subscription { onCreatePost { parts { __typename ... on Note { text } } } }")
        let variables = try operation.coerce(variables: [:]).get()
        var output = ByteQueue()
        let change = Change(offset: 1, kind: .create, record: record)
        #expect(
            Execution.append(
                event: operation, variables: variables, value: run.models.eventValue(of: change),
                to: &output))
        #expect(
            String(decoding: output.array, as: UTF8.self)
                == #"{"data":{"onCreatePost":{"parts":[{"__typename":"Note","text":"a"}]}}}"#)
    }

    @Test func `the printed API reads back as the same API`() throws {
        let printed = run.models.schema.printSDL()
        var builder = SchemaBuilder()
        builder.add(try Document(parsing: Text(printed), limits: .schema))
        #expect(try builder.build().printSDL() == printed)
    }
}
