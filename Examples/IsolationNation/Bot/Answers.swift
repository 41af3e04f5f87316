/// What the bot says to whom. Knows nothing of hubs.
struct Answers: Sendable {
    /// Answers to single words, the first that fits; `NAME` and `AREA` are filled in.
    private static let table: [(words: Set<String>, answer: String)] = [
        (["thanks", "thank", "cheers"], "You are welcome, NAME."),
        (["bye", "goodbye", "goodnight"], "Stay safe, NAME."),
        (
            ["shop", "shops", "shopping", "groceries", "milk", "bread", "medicine"],
            "Who in AREA is going to the shops and could bring something for NAME?"
        ),
        (["help", "need", "lonely"], "NAME could do with a hand: who in AREA is near?"),
        (["hello", "hi", "hey", "morning", "evening"], "Hello NAME, good to hear from you."),
    ]

    private let area: String
    private var messages = 0
    /// How many messages each neighbour has sent, by name. One entry for each name heard.
    private var messagesByName: [String: Int] = [:]

    init(area: String) { self.area = area }

    /// The reply to a neighbour's message.
    mutating func answer(to body: String, from name: String) -> String {
        messages += 1
        messagesByName[name, default: 0] += 1
        let answer = fitting(body, name)
        return messagesByName[name] == 1 ? "Welcome to \(area), \(name). \(answer)" : answer
    }

    private func fitting(_ body: String, _ name: String) -> String {
        let words = body.lowercased().split { !$0.isLetter }.map(String.init)
        if zip(words, words.dropFirst()).contains(where: { $0 == ("how", "many") }) {
            return "I have heard \(counted(messages, "message")) from "
                + "\(counted(messagesByName.count, "neighbour")) in \(area)."
        }
        if let entry = Self.table.first(where: { !$0.words.isDisjoint(with: words) }) {
            return Self.fill(entry.answer, ["NAME": name, "AREA": area])
        }
        if body.contains("?") { return "I do not know, \(name). Who in \(area) does?" }
        return "Noted, \(name): that is your \(Self.ordinal(messagesByName[name] ?? 1)) message."
    }

    /// Fills the words in one by one, so that a name that looks like a place is left alone.
    private static func fill(_ answer: String, _ values: [String: String]) -> String {
        answer.split(separator: " ").map { word in
            let key = word.prefix { $0.isUppercase }
            return values[String(key)].map { $0 + word.dropFirst(key.count) } ?? String(word)
        }
        .joined(separator: " ")
    }

    private func counted(_ count: Int, _ thing: String) -> String {
        "\(count) \(thing)\(count == 1 ? "" : "s")"
    }

    private static func ordinal(_ number: Int) -> String {
        let isTeen = (11...13).contains(number % 100)
        let suffix = isTeen ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
        return "\(number)\(suffix)"
    }
}
