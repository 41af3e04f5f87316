import Bytes
import JSON

/// A message or reply as the hub tells it.
struct Message: Sendable {
    /// What the bot asks for of messages and replies alike.
    static let selection = "id body createdAt author { id username }"

    var id: Text
    var body: String
    var author: String
    var authorID: Text
    /// Time of day, UTC.
    var time: String
    /// The bot's reply, once it has thought of one.
    var answer: String?

    init?(_ value: JSONValue?) {
        guard let id = value?["id"]?.text, let body = value?["body"]?.text?.string,
            let author = value?["author"], let authorID = author["id"]?.text,
            let name = author["username"]?.text?.string,
            let createdAt = value?["createdAt"]?.text?.string
        else { return nil }
        (self.id, self.body, self.author, self.authorID) = (id, body, name, authorID)
        // 2026-04-01T12:34:56.789Z: the eight characters behind the T.
        time = String(createdAt.drop { $0 != "T" }.dropFirst().prefix(8))
    }
}
