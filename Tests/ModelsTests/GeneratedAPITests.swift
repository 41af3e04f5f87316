import Bytes
import GraphQL
import Models
import Records
import Testing

@Suite struct GeneratedAPITests {
    /// The definitions of these types in the printed API, in the printed order.
    static func print(_ models: ModelSchema, _ names: Set<String>) -> String {
        let definitions = models.schema.printSDL().split(separator: "\n\n")
        return definitions.filter { definition in
            let words = definition.split { $0 == " " || $0 == "\n" }
            return words.count > 1 && names.contains(String(words[1]))
        }.joined(separator: "\n\n")
    }

    @Test func `the ledger's whole API is as AppSync makes it`() throws {
        let names: Set = [
            "Query", "Mutation", "Subscription", "Account", "ModelAccountConnection",
            "ModelAccountFilterInput", "ModelAccountConditionInput", "CreateAccountInput",
            "UpdateAccountInput", "DeleteAccountInput", "ModelSubscriptionAccountFilterInput",
        ]
        let models = try Example.cashFlow.models()
        let events = """
            (filter: ModelSubscriptionAccountFilterInput, id: ID, balance: Float, \
            createdAt: AWSDateTime, updatedAt: AWSDateTime): Account
            """
        #expect(
            Self.print(models, names) == """
                type Query {
                  getAccount(id: ID!): Account
                  listAccounts(filter: ModelAccountFilterInput, limit: Int, nextToken: String): \
                ModelAccountConnection
                }

                type Mutation {
                  createAccount(input: CreateAccountInput!, \
                condition: ModelAccountConditionInput): Account
                  updateAccount(input: UpdateAccountInput!, \
                condition: ModelAccountConditionInput): Account
                  deleteAccount(input: DeleteAccountInput!, \
                condition: ModelAccountConditionInput): Account
                }

                type Subscription {
                  onCreateAccount\(events)
                  onUpdateAccount\(events)
                  onDeleteAccount\(events)
                }

                type Account {
                  id: ID!
                  balance: Float!
                  createdAt: AWSDateTime!
                  updatedAt: AWSDateTime!
                }

                type ModelAccountConnection {
                  items: [Account]!
                  nextToken: String
                }

                input ModelAccountFilterInput {
                  id: ModelIDInput
                  balance: ModelFloatInput
                  createdAt: ModelStringInput
                  updatedAt: ModelStringInput
                  and: [ModelAccountFilterInput]
                  or: [ModelAccountFilterInput]
                  not: ModelAccountFilterInput
                }

                input ModelAccountConditionInput {
                  balance: ModelFloatInput
                  createdAt: ModelStringInput
                  updatedAt: ModelStringInput
                  and: [ModelAccountConditionInput]
                  or: [ModelAccountConditionInput]
                  not: ModelAccountConditionInput
                }

                input CreateAccountInput {
                  id: ID
                  balance: Float!
                }

                input UpdateAccountInput {
                  id: ID!
                  balance: Float
                }

                input DeleteAccountInput {
                  id: ID!
                }

                input ModelSubscriptionAccountFilterInput {
                  id: ModelSubscriptionIDInput
                  balance: ModelSubscriptionFloatInput
                  createdAt: ModelSubscriptionStringInput
                  updatedAt: ModelSubscriptionStringInput
                  and: [ModelSubscriptionAccountFilterInput]
                  or: [ModelSubscriptionAccountFilterInput]
                  not: ModelSubscriptionAccountFilterInput
                }
                """)
    }

    @Test func `the shared inputs are as AppSync makes them, with all its operators`() throws {
        let names: Set = [
            "ModelStringInput", "ModelBooleanInput", "ModelIntInput", "ModelSizeInput",
            "ModelStringKeyConditionInput", "ModelIntKeyConditionInput",
            "ModelSubscriptionStringInput", "ModelSubscriptionBooleanInput", "ModelSortDirection",
            "ModelBooleanKeyConditionInput",
        ]
        let printed = Self.print(try Example.notes.models(), names)
        let oneLine = printed.split(separator: "\n\n").map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        #expect(
            oneLine == [
                "enum ModelSortDirection { ASC DESC }",
                "input ModelSizeInput { ne: Int eq: Int le: Int lt: Int ge: Int gt: Int "
                    + "between: [Int] }",
                "input ModelStringInput { ne: String eq: String le: String lt: String ge: String "
                    + "gt: String contains: String notContains: String between: [String] "
                    + "beginsWith: String attributeExists: Boolean "
                    + "attributeType: ModelAttributeTypes size: ModelSizeInput }",
                "input ModelIntInput { ne: Int eq: Int le: Int lt: Int ge: Int gt: Int "
                    + "between: [Int] attributeExists: Boolean "
                    + "attributeType: ModelAttributeTypes }",
                "input ModelBooleanInput { ne: Boolean eq: Boolean attributeExists: Boolean "
                    + "attributeType: ModelAttributeTypes }",
                "input ModelStringKeyConditionInput { eq: String le: String lt: String ge: String "
                    + "gt: String between: [String] beginsWith: String }",
                "input ModelIntKeyConditionInput { eq: Int le: Int lt: Int ge: Int gt: Int "
                    + "between: [Int] }",
                "input ModelSubscriptionStringInput { ne: String eq: String le: String lt: String "
                    + "ge: String gt: String contains: String notContains: String "
                    + "between: [String] beginsWith: String in: [String] notIn: [String] "
                    + "containsAny: [String] }",
                "input ModelSubscriptionBooleanInput { ne: Boolean eq: Boolean }",
            ])
    }

    @Test func `the chat's queries have both plurals and the key's query`() throws {
        let page = "filter: ModelXFilterInput, limit: Int, nextToken: String"
        func list(_ name: String, _ model: String) -> String {
            let arguments = page.replacing("ModelX", with: "Model" + model)
            return "  \(name)(\(arguments)): Model\(model)Connection"
        }
        let byLocation =
            "  ThreadByLocation(location: String, sortDirection: ModelSortDirection, "
            + page.replacing("ModelX", with: "ModelThread") + "): ModelThreadConnection"
        #expect(
            Self.print(try Example.isolationNation.models(), ["Query"])
                == [
                    "type Query {", "  getUser(id: ID!): User", list("listUsers", "User"),
                    "  getThread(id: ID!): Thread", list("listThreads", "Thread"), byLocation,
                    "  getMessage(id: ID!): Message", list("listMessages", "Message"),
                    "  getReply(id: ID!): Reply", list("listReplys", "Reply"),
                    list("listReplies", "Reply"), "  getUserThread(id: ID!): UserThread",
                    list("listUserThreads", "UserThread"), "}",
                ].joined(separator: "\n"))
    }

    @Test func `the chat's relations lead both ways, with their foreign keys`() throws {
        let names: Set = ["Thread", "Message", "CreateMessageInput", "UpdateMessageInput"]
        let page = "sortDirection: ModelSortDirection, limit: Int, nextToken: String"
        #expect(
            Self.print(try Example.isolationNation.models(), names) == """
                type Thread {
                  id: ID!
                  name: String!
                  location: String!
                  messages(createdAt: ModelStringKeyConditionInput, \
                filter: ModelMessageFilterInput, \(page)): ModelMessageConnection
                  associated(userThreadUserId: ModelIDKeyConditionInput, \
                filter: ModelUserThreadFilterInput, \(page)): ModelUserThreadConnection
                  createdAt: AWSDateTime!
                  updatedAt: AWSDateTime!
                }

                type Message {
                  id: ID!
                  author: User!
                  body: String!
                  thread: Thread
                  replies(createdAt: ModelStringKeyConditionInput, \
                filter: ModelReplyFilterInput, \(page)): ModelReplyConnection
                  createdAt: AWSDateTime!
                  updatedAt: AWSDateTime!
                  messageAuthorId: ID!
                  messageThreadId: ID
                }

                input CreateMessageInput {
                  id: ID
                  body: String!
                  createdAt: AWSDateTime
                  messageAuthorId: ID!
                  messageThreadId: ID
                }

                input UpdateMessageInput {
                  id: ID!
                  body: String
                  createdAt: AWSDateTime
                  messageAuthorId: ID
                  messageThreadId: ID
                }
                """)
    }

    @Test func `a subscription has an argument for each field and filters through relations`()
        throws
    {
        let printed = Self.print(
            try Example.isolationNation.models(),
            ["Subscription", "ModelSubscriptionReplyFilterInput"])
        let reply = """
              onCreateReply(filter: ModelSubscriptionReplyFilterInput, id: ID, body: String, \
            createdAt: AWSDateTime, updatedAt: AWSDateTime, replyAuthorId: ID, \
            replyMessageId: ID): Reply
            """
        #expect(printed.contains(reply))
        let filter = """
            input ModelSubscriptionReplyFilterInput {
              id: ModelSubscriptionIDInput
              body: ModelSubscriptionStringInput
              createdAt: ModelSubscriptionStringInput
              updatedAt: ModelSubscriptionStringInput
              replyAuthorId: ModelSubscriptionIDInput
              replyMessageId: ModelSubscriptionIDInput
              author: ModelSubscriptionUserFilterInput
              message: ModelSubscriptionMessageFilterInput
              and: [ModelSubscriptionReplyFilterInput]
              or: [ModelSubscriptionReplyFilterInput]
              not: ModelSubscriptionReplyFilterInput
            }
            """
        #expect(printed.contains(filter))
    }

    @Test func `operations are renamed and taken away`() throws {
        let models = try ModelSchema(
            sdl: """
                type A @model(
                  queries: {get: "oneA"}, mutations: {create: "makeA", delete: "dropA"},
                  subscriptions: {onCreate: ["newA", "freshA"], onDelete: "goneA"},
                  timestamps: {createdAt: "born", updatedAt: null}
                ) { id: ID! }
                type Bb @model(mutations: null, subscriptions: null, timestamps: null) { id: ID! }
                type Cc @model(subscriptions: {level: off}) { id: ID! updatedAt: AWSTimestamp }
                type Dd @model(queries: {list: "allD"}, subscriptions: {level: public}) { n: Int }
                """)
        let summary = models.operationsSummary()
        #expect(
            summary.map(\.queries) == [
                ["oneA"], ["getBb", "listBbs"], ["getCc", "listCcs"], ["allD"],
            ])
        #expect(summary[0].mutations == ["makeA", "dropA"])
        #expect(summary[0].subscriptions == ["newA", "freshA", "goneA"])
        #expect(summary[1].mutations.isEmpty && summary[1].subscriptions.isEmpty)
        #expect(summary[2].subscriptions.isEmpty)
        #expect(summary[3].subscriptions == ["onCreateDd", "onUpdateDd", "onDeleteDd"])
        let fields = models.layout.models.map { $0.fields.map(\.name) }
        #expect(
            fields == [
                ["id", "born"], ["id"], ["id", "updatedAt", "createdAt"],
                ["id", "n", "createdAt", "updatedAt"],
            ])
        #expect(
            Self.print(models, ["CreateDdInput"]) == "input CreateDdInput {\n  id: ID\n  n: Int\n}")
    }

    @Test func `the second plural of one model gives way to the first of another`() throws {
        let models = try ModelSchema(
            sdl: "type Box @model { id: ID! } type Boxe @model { id: ID! }")
        let summary = models.operationsSummary()
        #expect(summary[0].queries == ["getBox", "listBoxs"])
        #expect(summary[1].queries == ["getBoxe", "listBoxes"])
    }

    @Test func `enums and embedded types get their inputs`() throws {
        let models = try ModelSchema(
            sdl: """
                "A place to go."
                type Place @model {
                  "Where it is."
                  at: Point!
                  more: [Point!]
                  kind: Kind! @default(value: "CITY")
                  kinds: [Kind]
                  tags: [String!]!
                  open: Boolean
                  old: Int @deprecated(reason: "unused")
                }
                type Point { x: Float! y: Float! unit: Unit }
                type Unit { name: String! kind: Kind }
                enum Kind { CITY SEA }
                """)
        let names: Set = [
            "Place", "CreatePlaceInput", "ModelPlaceFilterInput", "PointInput", "UnitInput",
            "ModelKindInput", "ModelKindListInput", "ModelSubscriptionPlaceFilterInput", "Kind",
        ]
        let oneLine = Self.print(models, names).split(separator: "\n\n").map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        #expect(
            Set(oneLine) == [
                "input CreatePlaceInput { id: ID at: PointInput! more: [PointInput!] kind: Kind "
                    + "kinds: [Kind] tags: [String!]! open: Boolean old: Int }",
                "input ModelPlaceFilterInput { id: ModelIDInput kind: ModelKindInput "
                    + "kinds: ModelKindListInput tags: ModelStringInput open: ModelBooleanInput "
                    + "old: ModelIntInput createdAt: ModelStringInput updatedAt: ModelStringInput "
                    + "and: [ModelPlaceFilterInput] or: [ModelPlaceFilterInput] "
                    + "not: ModelPlaceFilterInput }",
                "input ModelSubscriptionPlaceFilterInput { id: ModelSubscriptionIDInput "
                    + "kind: ModelSubscriptionStringInput kinds: ModelSubscriptionStringInput "
                    + "tags: ModelSubscriptionStringInput open: ModelSubscriptionBooleanInput "
                    + "old: ModelSubscriptionIntInput createdAt: ModelSubscriptionStringInput "
                    + "updatedAt: ModelSubscriptionStringInput "
                    + "and: [ModelSubscriptionPlaceFilterInput] "
                    + "or: [ModelSubscriptionPlaceFilterInput] "
                    + "not: ModelSubscriptionPlaceFilterInput }",
                "input PointInput { x: Float! y: Float! unit: UnitInput }",
                "input UnitInput { name: String! kind: Kind }",
                "enum Kind { CITY SEA }", "input ModelKindInput { eq: Kind ne: Kind }",
                "input ModelKindListInput { eq: [Kind] ne: [Kind] contains: Kind "
                    + "notContains: Kind }",
            ])
        let place = models.schema.type(named: "Place")
        #expect(place?.description == "A place to go.")
        #expect(models.schema.printSDL().contains("@deprecated(reason: \"unused\")"))
    }

    @Test func `what is printed is a schema again`() throws {
        for example in Example.allCases {
            let models = try example.models()
            var builder = SchemaBuilder()
            builder.add(try Document(parsing: Text(models.schema.printSDL()), limits: .schema))
            let again = try builder.build()
            #expect(again.printSDL() == models.schema.printSDL())
        }
    }
}
