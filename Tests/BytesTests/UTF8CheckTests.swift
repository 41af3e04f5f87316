import Bytes
import TestKit
import Testing

@Suite struct UTF8CheckTests {
    private func check(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes(UTF8Check.isValid) }

    private func agrees(_ bytes: [UInt8]) -> Bool {
        check(bytes) == (String(validating: bytes, as: UTF8.self) != nil)
    }

    @Test func `every sequence of one and two bytes is judged as Swift judges it`() {
        var odd: [[UInt8]] = []
        for first in UInt8.min...UInt8.max {
            if !agrees([first]) { odd.append([first]) }
            for second in UInt8.min...UInt8.max where !agrees([first, second]) {
                odd.append([first, second])
            }
        }
        #expect(odd == [])
    }

    @Test func `three and four bytes around every border are judged as Swift judges them`() {
        let borders: [UInt8] = [
            0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xf4, 0xff,
        ]
        var odd: [[UInt8]] = []
        for first in UInt8(0xc0)...UInt8.max {
            for second in borders {
                for third in borders {
                    let three = [first, second, third]
                    let four: [UInt8] = [0x7f, 0x80, 0xbf, 0xc0]
                    for bytes in [three] + four.map({ three + [$0] }) where !agrees(bytes) {
                        odd.append(bytes)
                    }
                }
            }
        }
        #expect(odd == [])
    }

    @Test func `a fault is seen wherever it stands among plain characters`() {
        for fault: [UInt8] in [
            [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80],
        ] {
            for place in 0...20 {
                var bytes = [UInt8](repeating: 0x61, count: 20)
                bytes.insert(contentsOf: fault, at: place)
                #expect(!check(bytes))
            }
        }
    }

    @Test func `the cuts between pieces do not matter`() {
        let texts: [[UInt8]] = [
            Array("a\u{e9}\u{20ac}\u{1f600}, and plain text behind it".utf8),
            [0x61, 0xe2, 0x82], [0xf0, 0x9f, 0x98], [0x61, 0xe2, 0x28, 0xa1], [0xed, 0xa0, 0x80],
        ]
        for text in texts {
            let results = eventsForAllCuts(of: text) { pieces in
                var check = UTF8Check()
                for piece in pieces {
                    guard piece.withUnsafeBytes({ check.append($0) }) else { return ["refused"] }
                }
                return [check.isComplete ? "whole" : "cut"]
            }
            #expect(Set(results).count == 1)
        }
    }

    @Test func `a cut character is known by the state`() {
        var check = UTF8Check()
        #expect(check.isComplete)
        for byte: UInt8 in [0xf0, 0x9f, 0x98] {
            #expect([byte].withUnsafeBytes { check.append($0) })
            #expect(!check.isComplete)
        }
        #expect([UInt8(0x80)].withUnsafeBytes { check.append($0) })
        #expect(check.isComplete)
    }

    @Test func `random bytes are judged as Swift judges them`() {
        var random = SeededRandom(seed: 8)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0..<24, using: &random)
            let bytes = (0..<count).map { _ -> UInt8 in
                // Mostly continuation and lead bytes, or nothing would ever be valid.
                Bool.random(using: &random)
                    ? UInt8.random(in: 0x80...0xbf, using: &random)
                    : UInt8.random(in: 0...255, using: &random)
            }
            #expect(agrees(bytes))
        }
    }
}
