import Bytes
import HubClient
import JSON

/// The bot at work: one task that takes one event after the other.
///
/// It replies to a message under an id made of the message's and its own. The hub keeps an id
/// once, so no lost connection, no repeated request and no second bot of that name can make it
/// reply twice.
struct Bot {
    private enum Happening: Sendable {
        case message(JSONValue)
        case reply(JSONValue)
        case connected
        case lost(String)
        case over((any Error)?)
    }

    private let neighbourhood: Neighbourhood
    private var answers: Answers
    /// Messages that were told or are older than the bot's visit.
    private var known = RecentIDs()
    /// Messages whose reply may not have reached the hub.
    private var unanswered: [Message] = []

    /// Joins the thread and answers until the first element of `end`.
    static func run(_ arguments: BotArguments, until end: AsyncStream<Void>) async throws {
        let (happenings, told) = AsyncStream<Happening>.makeStream()
        var configuration = ClientConfiguration(endpoint: try endpoint(arguments.url))
        if let key = arguments.key { configuration.setAPIKey(Text(key)) }
        let hub = try await HubConnection.connect(configuration) { news in
            switch news {
            case .ready: told.yield(.connected)
            case .lost(let reason, _): told.yield(.lost(reason))
            case .ended(let reason): told.yield(.over(HubError(.notConnected, reason)))
            }
        }
        defer { hub.close() }
        // Ctrl-C ends the bot also while it waits for a hub that is away.
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var bot = Bot(try await Neighbourhood(hub, arguments.area, name: arguments.name))
                try await bot.work(happenings, told, hub)
            }
            group.addTask { for await _ in end { break } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private static func endpoint(_ url: String) throws -> Endpoint {
        do throws(EndpointError) {
            return try Endpoint(Text(url))
        } catch {
            throw BotFailure.usage("--url: \(error)")
        }
    }

    private init(_ neighbourhood: Neighbourhood) {
        self.neighbourhood = neighbourhood
        answers = Answers(area: neighbourhood.area.name)
    }

    private mutating func work(
        _ happenings: AsyncStream<Happening>, _ told: AsyncStream<Happening>.Continuation,
        _ hub: HubConnection
    ) async throws {
        // What is there already is history; what comes while we subscribe is found by `catchUp`.
        for message in try await neighbourhood.messages() { known.insert(message.id) }
        let streams = [
            listen(neighbourhood.messageEvents, told) { .message($0) },
            listen(neighbourhood.replyEvents, told) { .reply($0) },
        ]
        defer { for stream in streams { stream.cancel() } }
        for await happening in happenings {
            switch happening {
            case .message(let event):
                if let message = Message(event["data"]?["onCreateMessage"]) {
                    await take(message)
                } else {
                    complain("an event that cannot be read: \(firstError(event))")
                }
            case .reply(let event):
                guard let reply = Message(event["data"]?["onCreateReply"]) else { continue }
                say("\(reply.time)     ↳ \(reply.author): \(reply.body)")
            case .connected: await catchUp()
            case .lost(let reason): complain("lost: \(reason); trying again")
            case .over(let error?): throw error
            case .over(nil): return
            }
        }
    }

    private func listen(
        _ events: AsyncThrowingStream<JSONValue, any Error>,
        _ told: AsyncStream<Happening>.Continuation,
        _ happening: @escaping @Sendable (JSONValue) -> Happening
    ) -> Task<Void, Never> {
        Task {
            do {
                for try await event in events { told.yield(happening(event)) }
                if !Task.isCancelled { told.yield(.over(nil)) }
            } catch {
                told.yield(.over(error))
            }
        }
    }

    /// Takes what came while nobody listened, and what could not be answered then.
    ///
    /// The answer to a query that was sent behind the subscriptions also says that they are live.
    private mutating func catchUp() async {
        do {
            let waiting = unanswered
            unanswered = []
            for message in waiting { await reply(to: message) }
            for message in try await neighbourhood.messages() { await take(message) }
            say("listening in \(neighbourhood.area) as \(neighbourhood.name)")
        } catch is CancellationError {
            // The bot is leaving.
        } catch {
            // The connection's next news brings us back here.
            complain("could not look for missed messages: \(error)")
        }
    }

    private mutating func take(_ message: Message) async {
        guard known.insert(message.id) else { return }
        say("\(message.time)  \(message.author): \(message.body)")
        if message.authorID != neighbourhood.userID { await reply(to: message) }
    }

    private mutating func reply(to message: Message) async {
        var message = message
        let answer = message.answer ?? answers.answer(to: message.body, from: message.author)
        message.answer = answer
        do {
            try await neighbourhood.reply(answer, to: message)
        } catch let error as HubError where error.code == .outcomeUnknown {
            unanswered.append(message)
        } catch is CancellationError {
            // The bot is leaving.
        } catch {
            complain("could not reply: \(error)")
        }
    }

    private func firstError(_ event: JSONValue) -> String {
        event["errors"]?.items?.first?["message"]?.text?.string ?? "it has no data"
    }
}

/// The ids that were seen last. Older ones cannot come again: a look back spans fewer messages.
struct RecentIDs: Sendable {
    static let countMax = 1_000

    private var ids: Set<Text> = []
    private var order: [Text] = []

    /// Returns false if the id is known.
    @discardableResult mutating func insert(_ id: Text) -> Bool {
        guard ids.insert(id).inserted else { return false }
        order.append(id)
        if order.count > Self.countMax { ids.remove(order.removeFirst()) }
        return true
    }
}
