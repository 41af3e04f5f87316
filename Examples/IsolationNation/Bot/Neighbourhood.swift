import Bytes
import HubClient
import JSON

/// The thread of a postcode area on a hub, and the bot's account there.
struct Neighbourhood: Sendable {
    /// How many messages a look back spans.
    private static let messagesMax = 100

    let area: PostcodeArea
    let name: String
    let userID: Text
    private let hub: HubConnection
    private let threadID: Text

    /// Finds the user and the thread, or creates them.
    init(_ hub: HubConnection, _ area: PostcodeArea, name: String) async throws {
        self.hub = hub
        self.area = area
        self.name = name
        userID = try await Self.user(hub, name, area)
        threadID = try await Self.thread(hub, area)
    }

    // MARK: Finding or creating

    private static func user(
        _ hub: HubConnection, _ name: String, _ area: PostcodeArea
    ) async throws -> Text {
        let letters = name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" }
        let id = Text("bot-\(String(letters))")
        let found = try await data(
            hub, "query User($id: ID!) { getUser(id: $id) { id } }", ["id": .string(id)])
        if found["getUser"]?.isNull == false { return id }
        try await create(
            hub, "mutation Join($input: CreateUserInput!) { createUser(input: $input) { id } }",
            [
                "id": .string(id), "username": .string(Text(name)),
                "postcode": .string(Text(area.name)),
            ])
        say("created the user \(name)")
        return id
    }

    private static func thread(_ hub: HubConnection, _ area: PostcodeArea) async throws -> Text {
        let found = try await data(
            hub,
            """
            query Thread($area: String!) {
              ThreadByLocation(location: $area) { items { id createdAt } } }
            """, ["area": .string(Text(area.name))])
        let threads = found["ThreadByLocation"]?["items"]?.items ?? []
        // If there are several, everybody takes the oldest.
        let oldest = threads.min {
            ($0["createdAt"]?.text ?? "", $0["id"]?.text ?? "")
                < ($1["createdAt"]?.text ?? "", $1["id"]?.text ?? "")
        }
        if let id = oldest?["id"]?.text {
            say("found the thread of \(area)")
            return id
        }
        // An id that follows from the area: of two who create it at once one finds the other's.
        let id = Text("thread-\(area.name)")
        try await create(
            hub,
            "mutation Open($input: CreateThreadInput!) { createThread(input: $input) { id } }",
            [
                "id": .string(id), "name": .string(Text("Neighbours in \(area.name)")),
                "location": .string(Text(area.name)),
            ])
        say("created the thread of \(area)")
        return id
    }

    // MARK: Messages

    /// Messages of the thread as they come.
    var messageEvents: AsyncThrowingStream<JSONValue, any Error> {
        hub.subscribe(
            Text(
                """
                subscription Messages($thread: ID!) {
                  onCreateMessage(messageThreadId: $thread) { \(Message.selection) } }
                """), variables: ["thread": .string(threadID)])
    }

    /// Replies to messages of the thread: a reply does not name its thread, so the filter looks
    /// through its message.
    var replyEvents: AsyncThrowingStream<JSONValue, any Error> {
        hub.subscribe(
            Text(
                """
                subscription Replies($thread: ID!) {
                  onCreateReply(filter: {message: {thread: {id: {eq: $thread}}}}) {
                    \(Message.selection) } }
                """), variables: ["thread": .string(threadID)])
    }

    /// The thread's last messages, oldest first.
    func messages() async throws -> [Message] {
        let found = try await Self.data(
            hub,
            """
            query Last($thread: ID!, $count: Int!) { getThread(id: $thread) {
              messages(sortDirection: DESC, limit: $count) { items { \(Message.selection) } } } }
            """,
            ["thread": .string(threadID), "count": .int(Int64(Self.messagesMax))])
        let items = found["getThread"]?["messages"]?["items"]?.items ?? []
        return items.compactMap { Message($0) }.reversed()
    }

    /// Replies to a message, once: the reply's id follows from the message's and the bot's.
    func reply(_ body: String, to message: Message) async throws {
        try await Self.create(
            hub, "mutation Reply($input: CreateReplyInput!) { createReply(input: $input) { id } }",
            [
                "id": .string(Text("\(userID)-\(message.id)")), "body": .string(Text(body)),
                "replyMessageId": .string(message.id), "replyAuthorId": .string(userID),
            ])
    }

    // MARK: Asking

    /// Creates a record of a given id. That it is there already is as good.
    private static func create(
        _ hub: HubConnection, _ mutation: String, _ input: JSONObject
    ) async throws {
        let response = try await hub.execute(
            Text(mutation), variables: ["input": .object(input)], kind: .mutation)
        guard let error = response["errors"]?.items?.first else { return }
        if error["errorType"]?.text == "ConditionalCheckFailedException" { return }
        throw refusal(error)
    }

    private static func data(
        _ hub: HubConnection, _ query: String, _ variables: JSONObject
    ) async throws -> JSONValue {
        let response = try await hub.execute(Text(query), variables: variables, kind: .query)
        // A message whose author is gone makes an error beside the others' data.
        if let data = response["data"], !data.isNull { return data }
        throw refusal(response["errors"]?.items?.first ?? .null)
    }

    private static func refusal(_ error: JSONValue) -> HubError {
        HubError(
            .refused, error["message"]?.text?.string ?? "the hub sent no data",
            recovery: "the bot needs a hub that serves Examples/IsolationNation/schema.graphql")
    }
}
