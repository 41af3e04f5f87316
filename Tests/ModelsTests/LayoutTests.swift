import Bytes
import Models
import Records
import Testing

@Suite struct LayoutTests {
    /// A model's layout in short: fields, key, indexes `name(hash|sort)` and relations.
    static func words(_ layout: DataLayout, _ model: Text) throws -> [String] {
        let model = layout.models[try #require(layout.modelID(named: model))]
        func names(_ slots: [Int]) -> String {
            slots.map { model.fields[$0].name.string }.joined(separator: ",")
        }
        return [
            names(Array(model.fields.indices)), "key " + names(model.key),
        ] + model.indexes.map { "\($0.name)(\(names($0.hash))|\(names($0.sort)))" }
            + model.relations.map {
                "\($0.name)->\(layout.models[$0.target].name)(\(names($0.foreignKey)))"
            }
    }

    @Test(
        arguments: [
            ("User", ["id,username,sub,postcode,createdAt,updatedAt", "key id"]),
            (
                "Thread",
                ["id,name,location,createdAt,updatedAt", "key id", "byLocation(location|)"]
            ),
            (
                "Message",
                [
                    "id,body,createdAt,updatedAt,messageAuthorId,messageThreadId", "key id",
                    "UserMessages(messageAuthorId|)", "ThreadMessages(messageThreadId|createdAt)",
                    "author->User(messageAuthorId)", "thread->Thread(messageThreadId)",
                ]
            ),
            (
                "Reply",
                [
                    "id,body,createdAt,updatedAt,replyAuthorId,replyMessageId", "key id",
                    "UserReplies(replyAuthorId|)", "MessageReplies(replyMessageId|createdAt)",
                    "author->User(replyAuthorId)", "message->Message(replyMessageId)",
                ]
            ),
            (
                "UserThread",
                [
                    "id,userThreadUserId,userThreadThreadId,createdAt,updatedAt", "key id",
                    "byUser(userThreadUserId|userThreadThreadId)",
                    "byThread(userThreadThreadId|userThreadUserId)",
                    "user->User(userThreadUserId)", "thread->Thread(userThreadThreadId)",
                ]
            ),
        ] as [(Text, [String])])
    func `the chat's models are stored with indexes for all their lists`(
        model: Text, words: [String]
    ) throws {
        #expect(try Self.words(try Example.isolationNation.models().layout, model) == words)
    }

    @Test func `values have the kind of their type`() throws {
        let models = try ModelSchema(
            sdl: """
                type A @model(timestamps: null) {
                  id: ID! s: String i: Int f: Float b: Boolean d: AWSDate t: AWSTimestamp
                  j: AWSJSON e: E l: [Int] o: O os: [O]
                }
                enum E { X } type O { x: Int }
                """)
        let fields = models.layout.models[0].fields
        #expect(
            fields.map(\.kind) == [
                .text, .text, .integer, .double, .boolean, .text, .integer, .text, .text, .integer,
                .json, .json,
            ])
        #expect(fields.filter(\.isList).map(\.name) == ["l", "os"])
    }

    /// Pairs of models with one relation each way it can be written.
    static let relations: [(String, Text, [String])] = [
        // v1, one side only.
        (
            "type P @model { id: ID! cs: [C] @connection } type C @model { id: ID! }", "C",
            ["id,createdAt,updatedAt,pCsId", "key id", "PCs(pCsId|)"]
        ),
        (
            "type P @model { id: ID! cs: [C] @connection(keyField: \"up\", sortField: \"n\") } "
                + "type C @model { id: ID! n: Int }", "C",
            ["id,n,createdAt,updatedAt,up", "key id", "PCs(up|n)"]
        ),
        (
            "type P @model { id: ID! c: C @connection } type C @model { id: ID! }", "P",
            ["id,createdAt,updatedAt,pCId", "key id", "c->C(pCId)"]
        ),
        (
            "type P @model { id: ID! cId: ID c: C @connection(fields: [\"cId\"]) } "
                + "type C @model { id: ID! }", "P",
            ["id,cId,createdAt,updatedAt", "key id", "c->C(cId)"]
        ),
        (
            "type P @model { id: ID! a: ID! n: Int! c: C @connection(fields: [\"a\", \"n\"]) } "
                + "type C @model @key(fields: [\"x\", \"y\"]) { x: ID! y: Int! }", "P",
            ["id,a,n,createdAt,updatedAt", "key id", "c->C(a,n)"]
        ),
        // A model that is related to itself.
        (
            "type P @model { id: ID! up: P @connection(name: \"t\") "
                + "down: [P] @connection(name: \"t\") }", "P",
            ["id,createdAt,updatedAt,pUpId", "key id", "t(pUpId|)", "up->P(pUpId)"]
        ),
        // v2.
        (
            "type Post @model { id: ID! comments: [Comment] @hasMany } "
                + "type Comment @model { id: ID! }", "Comment",
            ["id,createdAt,updatedAt,postCommentsId", "key id", "PostComments(postCommentsId|)"]
        ),
        (
            "type Post @model { id: ID! comments: [Comment] @hasMany } "
                + "type Comment @model { id: ID! post: Post! @belongsTo }", "Comment",
            [
                "id,createdAt,updatedAt,postCommentsId", "key id",
                "PostComments(postCommentsId|)", "post->Post(postCommentsId)",
            ]
        ),
        (
            "type Comment @model { id: ID! post: Post @belongsTo } "
                + "type Post @model { title: ID! @primaryKey(sortKeyFields: [\"n\"]) n: Int! "
                + "comments: [Comment] @hasMany }", "Comment",
            [
                "id,createdAt,updatedAt,postCommentsTitle,postCommentsN", "key id",
                "PostComments(postCommentsTitle,postCommentsN|)",
                "post->Post(postCommentsTitle,postCommentsN)",
            ]
        ),
        (
            "type Post @model { id: ID! comments: [Comment] @hasMany(references: [\"postId\"]) } "
                + "type Comment @model { id: ID! postId: ID post: Post @belongsTo }", "Comment",
            [
                "id,postId,createdAt,updatedAt", "key id", "PostComments(postId|)",
                "post->Post(postId)",
            ]
        ),
        (
            "type Post @model { id: ID! "
                + "comments: [Comment] @hasMany(indexName: \"byPost\", fields: [\"id\"]) } "
                + "type Comment @model { id: ID! "
                + "postID: ID! @index(name: \"byPost\", sortKeyFields: [\"at\"]) at: Int "
                + "post: Post @belongsTo(fields: [\"postID\"]) }", "Comment",
            [
                "id,postID,at,createdAt,updatedAt", "key id", "byPost(postID|at)",
                "post->Post(postID)",
            ]
        ),
        (
            "type P @model { id: ID! team: T! @hasOne } type T @model { id: ID! p: P @belongsTo }",
            "T", ["id,createdAt,updatedAt,tPId", "key id", "p->P(tPId)"]
        ),
        (
            "type P @model { id: ID! team: T! @hasOne } type T @model { id: ID! p: P @belongsTo }",
            "P", ["id,createdAt,updatedAt,pTeamId", "key id", "team->T(pTeamId)"]
        ),
        (
            "type P @model { id: ID! team: T @hasOne(references: [\"pId\"]) } "
                + "type T @model { id: ID! pId: ID p: P @belongsTo(references: [\"pId\"]) }", "T",
            ["id,pId,createdAt,updatedAt", "key id", "PTeam(pId|)", "p->P(pId)"]
        ),
        (
            "type Post @model { id: ID! tags: [Tag] @manyToMany(relationName: \"PostTags\") } "
                + "type Tag @model { id: ID! "
                + "posts: [Post] @manyToMany(relationName: \"PostTags\") }",
            "PostTags",
            [
                "id,postID,tagID,createdAt,updatedAt", "key id", "byPost(postID|)",
                "byTag(tagID|)", "post->Post(postID)", "tag->Tag(tagID)",
            ]
        ),
    ]

    @Test(arguments: relations)
    func `a relation has its foreign key, its index and its way`(
        sdl: String, model: Text, words: [String]
    ) throws {
        #expect(try Self.words(try ModelSchema(sdl: Text(sdl)).layout, model) == words)
    }

    @Test func `a relation between many and many has a model of its own in the API`() throws {
        let models = try ModelSchema(
            sdl: """
                type Post @model { id: ID! tags: [Tag] @manyToMany(relationName: "PostTags") }
                type Tag @model { id: ID! posts: [Post] @manyToMany(relationName: "PostTags") }
                """)
        #expect(
            GeneratedAPITests.print(models, ["PostTags", "CreatePostTagsInput"]) == """
                type PostTags {
                  id: ID!
                  postID: ID!
                  post: Post!
                  tagID: ID!
                  tag: Tag!
                  createdAt: AWSDateTime!
                  updatedAt: AWSDateTime!
                }

                input CreatePostTagsInput {
                  id: ID
                  postID: ID!
                  tagID: ID!
                }
                """)
        #expect(GeneratedAPITests.print(models, ["Post"]).contains("): ModelPostTagsConnection"))
        #expect(models.operationsSummary().map(\.model) == ["Post", "Tag", "PostTags"])
    }

    @Test func `an index has its query with its hash, its sort condition and its direction`()
        throws
    {
        let models = try ModelSchema(
            sdl: """
                type Todo @model {
                  id: ID!
                  status: String! @index(sortKeyFields: ["at"])
                    @index(name: "quiet", queryField: null)
                  at: AWSTimestamp!
                  kind: Int @index(
                    name: "byKind", sortKeyFields: ["status", "at"], queryField: "ofKind")
                }
                """)
        let query = GeneratedAPITests.print(models, ["Query"])
        let page = "filter: ModelTodoFilterInput, limit: Int, nextToken: String"
        #expect(
            query.contains(
                "  todosByStatusAndAt(status: String!, at: ModelIntKeyConditionInput, "
                    + "sortDirection: ModelSortDirection, \(page)): ModelTodoConnection\n"))
        #expect(
            query.contains(
                "  ofKind(kind: Int!, statusAt: ModelTodoByKindCompositeKeyConditionInput, "
                    + "sortDirection: ModelSortDirection, \(page)): ModelTodoConnection\n"))
        #expect(!query.contains("quiet"))
        #expect(
            GeneratedAPITests.print(models, ["ModelTodoByKindCompositeKeyInput"])
                == "input ModelTodoByKindCompositeKeyInput {\n"
                + "  status: String\n  at: AWSTimestamp\n}"
        )
    }

    @Test func `a custom key changes get, list, update and delete`() throws {
        let models = try ModelSchema(
            sdl: "type Item @model @key(fields: [\"x\", \"y\"]) { x: ID! y: Int! z: String }")
        let printed = GeneratedAPITests.print(
            models,
            [
                "Query", "CreateItemInput", "UpdateItemInput", "DeleteItemInput",
                "ModelItemConditionInput",
            ])
        #expect(
            printed == """
                type Query {
                  getItem(x: ID!, y: Int!): Item
                  listItems(x: ID, y: ModelIntKeyConditionInput, filter: ModelItemFilterInput, \
                limit: Int, nextToken: String, \
                sortDirection: ModelSortDirection): ModelItemConnection
                }

                input ModelItemConditionInput {
                  z: ModelStringInput
                  createdAt: ModelStringInput
                  updatedAt: ModelStringInput
                  and: [ModelItemConditionInput]
                  or: [ModelItemConditionInput]
                  not: ModelItemConditionInput
                }

                input CreateItemInput {
                  x: ID!
                  y: Int!
                  z: String
                }

                input UpdateItemInput {
                  x: ID!
                  y: Int!
                  z: String
                }

                input DeleteItemInput {
                  x: ID!
                  y: Int!
                }
                """)
    }
}
