import Bytes
import Models
import Records
import Testing

@Suite struct HostileSchemaTests {
    /// A schema with every directive that shapes the API.
    static let rich = """
        type Blog @model(queries: {get: "blog"}, timestamps: {createdAt: "born"}) {
          id: ID! name: String! @index(name: "byName", sortKeyFields: ["rank"], queryField: "named")
          rank: Int @default(value: "3") posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"])
          kind: Kind spots: [Spot!] logo: Logo @hasOne(references: ["blogId"])
        }
        type Post @model {
          slug: ID! @primaryKey(sortKeyFields: ["day"]) day: AWSDate!
          blogID: ID @index(name: "byBlog", sortKeyFields: ["day", "slug"])
          blog: Blog @belongsTo(fields: ["blogID"]) notes: [Note] @hasMany
        }
        type Tag @model @key(name: "k", fields: ["n"]) { id: ID! n: Int }
        type Note @model @auth(rules: [{allow: owner}]) { id: ID! post: Post @belongsTo
          labels: [Label] @manyToMany(relationName: "NoteLabels") }
        type Label @model { id: ID! tags: [Tag] @connection(name: "T", sortField: "n", limit: 3)
          notes: [Note] @manyToMany(relationName: "NoteLabels") }
        type Logo @model { id: ID! blogId: ID blog: Blog @belongsTo(fields: ["blogId"]) }
        type Spot { x: Float! in: Spot @deprecated }
        enum Kind { A B }
        """

    @Test func `the schema that is garbled below is sound before`() {
        #expect(errors(of: Self.rich).isEmpty)
    }

    /// The text's words and marks.
    static func tokens(_ text: String) -> [String] {
        var tokens: [String] = []
        var word = ""
        for character in text {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                continue
            }
            if !word.isEmpty { tokens.append(word) }
            word = ""
            if !character.isWhitespace { tokens.append(String(character)) }
        }
        return word.isEmpty ? tokens : tokens + [word]
    }

    @Test(arguments: 0..<8) func `a garbled schema is refused or read, and never a crash`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let chat = try Example.isolationNation.sdl.string
        for round in 0..<40 {
            var tokens = Self.tokens(round % 2 == 0 ? Self.rich : chat)
            for _ in 0...Int.random(in: 0...2, using: &random) {
                let place = Int.random(in: tokens.indices, using: &random)
                let other = tokens[Int.random(in: tokens.indices, using: &random)]
                switch Int.random(in: 0...3, using: &random) {
                case 0: tokens.remove(at: place)
                case 1: tokens.insert(other, at: place)
                default: tokens[place] = other
                }
            }
            do {
                let models = try ModelSchema(sdl: Text(tokens.joined(separator: " ")))
                #expect(!models.layout.models.isEmpty)
                #expect(models.layout.models.allSatisfy { !$0.key.isEmpty })
            } catch {
                #expect(!error.errors.isEmpty)
                #expect(!error.rendered(fileName: "s").isEmpty)
            }
        }
    }
}
