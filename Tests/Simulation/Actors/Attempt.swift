import Bytes
import JSON
import Records

/// One mutation that an actor sends, and what it has been told of it.
final class Attempt {
    /// What the actor knows of the outcome.
    enum Outcome {
        case none
        /// Answered with the record.
        case done(token: Text)
        /// Answered with an error.
        case refused
        /// The connection was lost first.
        case unknown
    }

    let field: Text
    let model: Text
    let kind: Change.Kind
    let id: Text
    /// The text that this write alone gives the record; a deletion's is known when it is done.
    let token: Text?
    let query: Text
    let variables: JSONObject
    var outcome = Outcome.none

    init(
        _ field: Text, _ model: Text, _ kind: Change.Kind, id: Text, token: Text?,
        input: JSONObject, condition: JSONValue? = nil
    ) {
        self.field = field
        self.model = model
        self.kind = kind
        self.id = id
        self.token = token
        let name = model == "Thread" ? "name" : "body"
        let type = field.string.prefix(1).uppercased() + field.string.dropFirst()
        query = Text(
            "mutation($i: \(type)Input!, $c: Model\(model)ConditionInput)"
                + " {\(field)(input: $i, condition: $c) {id \(name)}}")
        var variables: JSONObject = ["i": .object(input)]
        if let condition { variables["c"] = condition }
        self.variables = variables
    }

    /// Reads the answer: a response object.
    func answered(_ response: JSONValue?) -> String? {
        guard case .none = outcome else { return "\(field) of \(id) was answered twice" }
        guard let data = response?["data"]?[field], !data.isNull else {
            guard response?["errors"]?.items?.isEmpty == false else {
                return "\(field) of \(id) was answered without data and errors"
            }
            outcome = .refused
            return nil
        }
        guard let answer = (data["body"] ?? data["name"])?.text, data["id"]?.text == id,
            token == nil || token == answer
        else { return "\(field) of \(id) was answered with another record" }
        outcome = .done(token: answer)
        return nil
    }

    /// Nothing more will be heard of it.
    func lost() {
        if case .none = outcome { outcome = .unknown }
    }
}

/// Draws the mutations of one actor.
struct AttemptSource {
    let actor: String
    private var count = 0

    init(actor: String) { self.actor = actor }

    mutating func draw(_ journal: Journal, _ random: inout SeededRandom) -> Attempt {
        count += 1
        let number = "\(actor)-\(count)"
        let messages = journal.ids(of: "Message")
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<9: return message(Text("m-\(number)"), number, &random)
        case 9: return message(messages.isEmpty ? "m" : random.pick(messages), number, &random)
        case 10..<14 where !messages.isEmpty:
            return update(random.pick(messages), number, &random)
        case 14..<16 where !messages.isEmpty:
            let id = random.pick(messages)
            return Attempt(
                "deleteMessage", "Message", .delete, id: id, token: nil,
                input: ["id": .string(id)])
        case 16..<19 where !messages.isEmpty:
            let token = Text(random.pick(["w1-", "w2-", ""]) + number)
            return Attempt(
                "createReply", "Reply", .create, id: Text("r-\(number)"), token: token,
                input: [
                    "id": .string(Text("r-\(number)")), "body": .string(token),
                    "replyMessageId": .string(random.pick(messages)),
                ])
        default: return thread(number, &random)
        }
    }

    private func fields(_ number: String, _ random: inout SeededRandom) -> JSONObject {
        var input: JSONObject = ["body": .string(Text("b-\(number)"))]
        if random.chance(80) { input["author"] = .string(random.pick(DrawnFilter.authors)) }
        if random.chance(80) { input["rank"] = .int(Int64.random(in: 0...9, using: &random)) }
        if random.chance(80) {
            input["messageThreadId"] = .string(random.pick(DrawnFilter.threads))
        } else if random.chance(50) {
            input["messageThreadId"] = .null
        }
        return input
    }

    private func message(
        _ id: Text, _ number: String, _ random: inout SeededRandom
    ) -> Attempt {
        var input = fields(number, &random)
        input["id"] = .string(id)
        return Attempt(
            "createMessage", "Message", .create, id: id, token: Text("b-\(number)"), input: input)
    }

    private func update(
        _ id: Text, _ number: String, _ random: inout SeededRandom
    ) -> Attempt {
        var input = fields(number, &random)
        input["id"] = .string(id)
        // One in three is under a condition that some messages do not meet.
        let condition: JSONValue? =
            random.chance(30)
            ? ["rank": ["gt": .int(Int64.random(in: 2...8, using: &random))]] : nil
        return Attempt(
            "updateMessage", "Message", .update, id: id, token: Text("b-\(number)"), input: input,
            condition: condition)
    }

    private func thread(_ number: String, _ random: inout SeededRandom) -> Attempt {
        let id = random.pick(DrawnFilter.threads)
        return Attempt(
            "updateThread", "Thread", .update, id: id, token: Text("n-\(number)"),
            input: [
                "id": .string(id), "name": .string(Text("n-\(number)")),
                "location": .string(random.pick(DrawnFilter.places)),
            ])
    }
}
