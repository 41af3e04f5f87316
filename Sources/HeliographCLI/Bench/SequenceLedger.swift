/// What one subscriber got of one topic's messages, which are numbered from 1.
struct SequenceLedger: Sendable {
    /// Different messages that came.
    private(set) var received = 0
    /// Messages that came once more.
    private(set) var duplicated = 0
    /// Messages that came after one with a higher number.
    private(set) var outOfOrder = 0

    /// One more than the highest number that came.
    private var next = 1
    /// Numbers below `next` that did not come, as ranges in ascending order.
    private var missing: [Range<Int>] = []

    /// A message came.
    mutating func receive(_ number: Int) {
        if number >= next {
            if number > next { missing.append(next..<number) }
            next = number + 1
            received += 1
        } else if takeMissing(number) {
            received += 1
            outOfOrder += 1
        } else {
            duplicated += 1
        }
    }

    /// How many of the numbers 1 to `last` did not come, without those that need not come.
    func lost(upTo last: Int, except excused: Set<Int>) -> Int {
        var count = max(0, last - (next - 1))
        for range in missing where range.lowerBound <= last {
            count += min(range.upperBound, last + 1) - range.lowerBound
        }
        for number in excused where number <= last && !hasCome(number) { count -= 1 }
        return count
    }

    /// The numbers from 1 to `last` that did not come.
    func missing(upTo last: Int) -> [Int] {
        let early = missing.flatMap { $0.clamped(to: 0..<(last + 1)) }
        return next <= last ? early + Array(next...last) : early
    }

    private func hasCome(_ number: Int) -> Bool {
        number < next && !missing.contains { $0.contains(number) }
    }

    /// Strikes a number off the missing ones; false if it is none of them.
    private mutating func takeMissing(_ number: Int) -> Bool {
        guard let index = missing.lastIndex(where: { $0.contains(number) }) else { return false }
        let range = missing[index]
        let rest = [range.lowerBound..<number, (number + 1)..<range.upperBound]
        missing.replaceSubrange(index...index, with: rest.filter { !$0.isEmpty })
        return true
    }
}
