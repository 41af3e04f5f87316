import Bytes
import JSON
import Records
import Testing

@Suite struct FieldOrderTests {
    /// From the first to the last in the order of sorting; those of one line are equal there.
    static let ladder: [[JSONValue]] = [
        [nil], [-1.5], [-1, -1.0], [0, 0.0, -0.0], [1, 1.0], [1.5],
        [.int(1 << 53)], [.int((1 << 53) + 1)], [.double(9_007_199_254_740_994)],
        [.int(.max)], [.double(9_223_372_036_854_775_808)], [""], ["\u{0}"], ["A"], ["a"], ["ab"],
        ["b"], ["e\u{301}"], ["é"],
        ["\u{FFFF}"], ["\u{10000}"], [["a"], [], [:]],
    ]

    @Test func `values sort nulls first, then numbers by value, then texts by bytes`() {
        for (low, lower) in Self.ladder.enumerated() {
            for (high, higher) in Self.ladder.enumerated() {
                for one in lower {
                    for other in higher {
                        #expect(
                            FieldOrder.sortsBefore(one, other) == (low < high),
                            "\(one) before \(other)")
                    }
                }
            }
        }
    }

    @Test func `values of different kinds have no order with each other`() {
        let kinds: [[JSONValue]] = [
            [nil], [false, true], [1, 1.5], ["", "1"], [[1]], [["a": 1]],
        ]
        for (first, ones) in kinds.enumerated() {
            for (second, others) in kinds.enumerated() where first != second {
                for one in ones {
                    for other in others {
                        #expect(FieldOrder.compare(one, other) == nil)
                        #expect(!FieldOrder.equal(one, other))
                    }
                }
            }
        }
    }

    @Test func `numbers are equal by value, and exactly so`() {
        #expect(FieldOrder.equal(5, 5.0))
        #expect(FieldOrder.equal(5.0, 5))
        #expect(!FieldOrder.equal(5, 5.5))
        #expect(!FieldOrder.equal(9_007_199_254_740_993, 9_007_199_254_740_992.0))
        #expect(!FieldOrder.equal(.int(.max), .double(0x1p63)))
    }

    @Test func `false comes before true`() {
        #expect(FieldOrder.compare(false, true) == -1)
        #expect(FieldOrder.compare(true, false) == 1)
        #expect(FieldOrder.compare(true, true) == 0)
    }
}
