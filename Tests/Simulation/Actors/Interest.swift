import Bytes
import JSON
import Records

/// What a subscription asks for, and which commits it must be told of.
struct Interest: Sendable {
    var field: Text
    var model: Text
    var kind: Change.Kind
    var query: Text
    var variables: JSONObject = [:]
    var passes: DrawnFilter.Predicate = { _ in true }

    /// Whether the commit is to be delivered.
    func matches(_ commit: Commit) -> Bool {
        commit.model == model && commit.kind == kind && passes(commit.chain)
    }

    /// An interest drawn by chance: few different texts and values, so that groups are shared.
    static func draw(_ random: inout SeededRandom) -> Interest {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return plain("onCreateMessage", "Message", .create)
        case 1: return plain("onDeleteMessage", "Message", .delete)
        case 2: return ofThread(random.chance(25) ? nil : random.pick(DrawnFilter.threads))
        case 3: return byAuthor(random.pick(DrawnFilter.authors))
        case 4: return threadsIn(random.pick(DrawnFilter.places))
        case 5, 6: return filtered("onCreateMessage", "Message", .create, &random)
        case 7: return filtered("onUpdateMessage", "Message", .update, &random)
        case 8: return filtered("onDeleteMessage", "Message", .delete, &random)
        default: return filtered("onCreateReply", "Reply", .create, &random)
        }
    }

    private static func plain(
        _ field: Text, _ model: Text, _ kind: Change.Kind
    ) -> Interest {
        Interest(
            field: field, model: model, kind: kind, query: Text("subscription {\(field) {id body}}")
        )
    }

    /// A null asks for messages without a thread; that is another question than no argument.
    private static func ofThread(_ thread: Text?) -> Interest {
        Interest(
            field: "onCreateMessage", model: "Message", kind: .create,
            query: "subscription($t: ID) {onCreateMessage(messageThreadId: $t) {id body author}}",
            variables: ["t": thread.map { .string($0) } ?? .null]
        ) { $0[0]?["messageThreadId"]?.text == thread }
    }

    private static func byAuthor(_ author: Text) -> Interest {
        Interest(
            field: "onUpdateMessage", model: "Message", kind: .update,
            query: """
                subscription($a: String, $r: Int) {onUpdateMessage(author: $a, rank: $r) {id body}}
                """,
            variables: ["a": .string(author)]
        ) { $0[0]?["author"]?.text == author }
    }

    private static func threadsIn(_ place: Text) -> Interest {
        Interest(
            field: "onUpdateThread", model: "Thread", kind: .update,
            query: "subscription($l: String) {onUpdateThread(location: $l) {id name}}",
            variables: ["l": .string(place)]
        ) { $0[0]?["location"]?.text == place }
    }

    private static func filtered(
        _ field: Text, _ model: Text, _ kind: Change.Kind, _ random: inout SeededRandom
    ) -> Interest {
        let filter = DrawnFilter.draw(model, &random)
        // Events whose selection leads over relations have to ask the store first.
        let selections: [Text] =
            model == "Reply"
            ? ["id body", "id body message {body thread {name}}"]
            : ["id body", "id body rank thread {name location}"]
        let selection = random.pick(selections)
        return Interest(
            field: field, model: model, kind: kind,
            query: Text(
                "subscription($f: ModelSubscription\(model)FilterInput)"
                    + " {\(field)(filter: $f) {\(selection)}}"),
            variables: ["f": filter.json], passes: filter.passes)
    }
}
