import Bytes
import Crypto

/// Documents that clients have had remembered under their SHA-256 (automatic persisted queries).
///
/// Bounded in number and in bytes of text. When full, the oldest goes that was not asked for
/// since it was last looked at: popular ones outlive a flood of others.
struct RememberedDocuments {
    private struct Entry {
        let text: Text
        var isUsed = false
    }

    private var entries: [Text: Entry] = [:]
    /// The hashes in the order in which they are considered for going.
    private var order = Line<Text>()
    private let countMax: Int
    private let bytesMax: Int
    /// Bytes of all texts.
    private(set) var bytes = 0

    init(countMax: Int, bytesMax: Int) {
        self.countMax = countMax
        self.bytesMax = bytesMax
    }

    var count: Int { entries.count }

    /// The document behind a hash, in lower-case hexadecimal digits.
    mutating func document(_ hash: Text) -> Text? {
        guard let text = entries[hash]?.text else { return nil }
        entries[hash]?.isUsed = true
        return text
    }

    /// Remembers a document under its hash. Returns false if it was known, or is too large.
    mutating func remember(_ text: Text, _ hash: Text) -> Bool {
        guard text.byteCount <= bytesMax / 8, entries[hash] == nil else { return false }
        entries[hash] = Entry(text: text)
        order.append(hash)
        bytes += text.byteCount
        while entries.count > countMax || bytes > bytesMax { forgetOne() }
        return true
    }

    /// Ends after one round at most: whoever is passed over is not used any more.
    private mutating func forgetOne() {
        while let hash = order.popFirst() {
            guard let entry = entries[hash] else { preconditionFailure("a hash without document") }
            if entry.isUsed {
                entries[hash]?.isUsed = false
                order.append(hash)
            } else {
                entries[hash] = nil
                bytes -= entry.text.byteCount
                return
            }
        }
    }
}

extension Text {
    /// SHA-256 of the bytes, in lower-case hexadecimal digits.
    var sha256: Text {
        withBytes { bytes in SHA256.digest(bytes) { Text(Hex.encode($0)) } }
    }
}
