import Bytes
import HubClient
import JSON

/// What the hub has stored of a run's messages, asked for when all is over.
struct StoredMessages: Sendable {
    /// Acknowledged messages that are not there.
    private(set) var lost = 0
    /// Messages of unknown outcome that are.
    private(set) var unknownStored = 0
    /// Messages that are there more than once.
    private(set) var twice = 0

    static let defaultQuery: Text = """
        query Stored($topic: ID!, $after: String) { listMessages(filter: {messageThreadId: \
        {eq: $topic}}, limit: 1000, nextToken: $after) { items { body } nextToken } }
        """

    /// Asks for all messages of all topics, page by page.
    static func check(
        _ sent: PublisherLane.Sent, _ settings: BenchSettings
    ) async throws(CommandFailure) -> StoredMessages {
        var result = StoredMessages()
        do {
            let hub = try await HubConnection.connect(settings.target.configuration)
            defer { hub.close() }
            for topic in 0..<settings.topics {
                var numbers: [Int] = []
                var after: JSONValue = .null
                repeat {
                    let response = try await hub.execute(
                        settings.stored,
                        variables: [
                            "topic": .string(settings.topicName(topic)), "after": after,
                        ], kind: .query)
                    if let error = response["errors"]?.items?.first {
                        throw settings.refusal(
                            of: "--stored", error["message"]?.text?.string ?? "no message")
                    }
                    var page = Page(BenchBody(run: settings.run, byteCount: 0))
                    page.read(response)
                    numbers += page.numbers
                    after = page.nextToken
                } while after != .null
                result.count(numbers, of: topic, sent)
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch let error as HubError {
            throw settings.target.failure(error)
        } catch {
            throw CommandFailure(code: .failure, message: "\(error)")
        }
        return result
    }

    mutating func count(_ numbers: [Int], of topic: Int, _ sent: PublisherLane.Sent) {
        let stored = Set(numbers)
        twice += numbers.count - stored.count
        for (index, times) in sent.times[topic].enumerated() {
            let isStored = stored.contains(index + 1)
            if times.acknowledgedAt < .max, !isStored { lost += 1 }
            if times.acknowledgedAt == .max, isStored { unknownStored += 1 }
        }
    }

    /// What a page of any shape holds: bodies of ours wherever they stand, and a `nextToken`.
    private struct Page {
        var body: BenchBody
        var numbers: [Int] = []
        var nextToken: JSONValue = .null

        init(_ body: BenchBody) { self.body = body }

        mutating func read(_ value: JSONValue) {
            switch value {
            case .string(let text):
                let mark = text.withBytes { body.mark(in: $0) }
                if let mark, mark.number > 0 { numbers.append(mark.number) }
            case .array(let items): for item in items { read(item) }
            case .object(let object):
                for member in object.members {
                    if member.name == "nextToken" {
                        nextToken = member.value
                    } else {
                        read(member.value)
                    }
                }
            default: break
            }
        }
    }
}
