import Glibc

/// What the body of a message says of the message: `hb1f00c0de.TOPIC.NUMBER.NANOSECONDS.` and
/// letters up to the wanted length.
///
/// The tag is the run's own, so that messages of other senders are not taken for ours, and is
/// found by a search for its bytes: no JSON is read on the way of a delivery.
struct BenchBody: Sendable {
    /// What a body says.
    struct Mark: Sendable, Hashable {
        var topic: Int
        /// Counts the topic's messages from 1; 0 for one that only asks who is live.
        var number: Int
        /// The sender's monotonic clock when it was sent.
        var nanoseconds: Int64
    }

    private let tag: [UInt8]
    private let byteCount: Int
    /// Where the last tag stood: messages of one shape have it at one place.
    private var hint = 0

    init(run: UInt32, byteCount: Int) {
        let digits = String(run, radix: 16)
        tag = Array("hb\(String(repeating: "0", count: 8 - digits.count))\(digits).".utf8)
        self.byteCount = byteCount
    }

    /// The text of a message's body.
    func text(_ mark: Mark) -> String {
        let front = "\(mark.topic).\(mark.number).\(mark.nanoseconds)."
        let rest = max(0, byteCount - tag.count - front.utf8.count)
        return String(decoding: tag, as: UTF8.self) + front + String(repeating: "x", count: rest)
    }

    /// What the body within these bytes says; nil if none of this run's is there.
    mutating func mark(in bytes: UnsafeRawBufferPointer) -> Mark? {
        guard let start = tag.withUnsafeBytes({ find($0, bytes) }) else { return nil }
        hint = start
        var at = start + tag.count
        guard let topic = number(bytes, &at), let number = number(bytes, &at),
            let nanoseconds = self.number(bytes, &at)
        else { return nil }
        return Mark(topic: topic, number: number, nanoseconds: Int64(nanoseconds))
    }

    private func find(_ tag: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer) -> Int? {
        if let base = bytes.baseAddress, let wanted = tag.baseAddress,
            hint + tag.count <= bytes.count, memcmp(base + hint, wanted, tag.count) == 0
        {
            return hint
        }
        return bytes.firstIndex(of: tag)
    }

    /// Digits and the full stop behind them.
    private func number(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> Int? {
        var value = 0
        let start = at
        while at < bytes.count, at - start < 19 {
            let digit = bytes[at] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            value = value * 10 + Int(digit)
            at += 1
        }
        guard at > start, at < bytes.count, bytes[at] == UInt8(ascii: ".") else { return nil }
        at += 1
        return value
    }
}

/// The monotonic clock, read anew: a loop's own time is that of its turn's beginning.
func clockNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
