import Bytes

/// Feeds a decoder the same bytes whole, byte by byte and in random cuts, and returns the event
/// lists; a correct decoder gives the same list each time.
///
/// `decode` gets the pieces in order and returns the events (or error texts) as strings.
public func eventsForAllCuts(
    of bytes: [UInt8], randomCuts: Int = 20, seed: UInt64 = 1,
    decode: ([[UInt8]]) -> [String]
) -> [[String]] {
    var results = [decode([bytes]), decode(bytes.map { [$0] })]
    var random = SeededRandom(seed: seed)
    for _ in 0..<randomCuts {
        var pieces: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(
                bytes.count, start + Int.random(in: 1...max(1, bytes.count / 3), using: &random))
            pieces.append(Array(bytes[start..<end]))
            start = end
        }
        results.append(decode(pieces))
    }
    return results
}
