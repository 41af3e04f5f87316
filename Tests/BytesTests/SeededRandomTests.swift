import Bytes
import Testing

@Suite struct SeededRandomTests {
    /// Computed by another program from the authors' definition of xoshiro256** and splitmix64.
    private let known: [(seed: UInt64, numbers: [UInt64])] = [
        (
            0,
            [
                0x99ec_5f36_cb75_f2b4, 0xbf6e_1f78_4956_452a, 0x1a5f_849d_4933_e6e0,
                0x6aa5_94f1_262d_2d2c,
            ]
        ),
        (
            1,
            [
                0xb3f2_af6d_0fc7_10c5, 0x853b_5596_4736_4cea, 0x92f8_9756_082a_4514,
                0x642e_1c7b_c266_a3a7,
            ]
        ),
        (
            .max,
            [
                0x8f55_20d5_2a7e_ad08, 0xc476_a018_caa1_802d, 0x81de_31c0_d260_469e,
                0xbf65_8d7e_065f_3c2f,
            ]
        ),
    ]

    @Test func `a seed gives the same numbers for ever`() {
        for (seed, numbers) in known {
            var random = SeededRandom(seed: seed)
            #expect(numbers.map { _ in random.next() } == numbers)
        }
    }

    @Test func `a copy goes its own way`() {
        var one = SeededRandom(seed: 4)
        var other = one
        #expect((0..<5).map { _ in one.next() } == (0..<5).map { _ in other.next() })
    }

    @Test func `a UUID has the form and the marks of version 4`() {
        var random = SeededRandom(seed: 7)
        #expect(random.nextUUID() == "b358faf7-4ef9-465a-875c-3d964f482cd2")
        var seen: Set<Text> = []
        for _ in 0..<1_000 {
            let uuid = random.nextUUID()
            seen.insert(uuid)
            let characters = Array(uuid.string)
            #expect(characters.count == 36)
            #expect(characters[14] == "4" && "89ab".contains(characters[19]))
            let parts = uuid.string.split(separator: "-", omittingEmptySubsequences: false)
            #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
            #expect(uuid.string.allSatisfy { $0 == "-" || $0.isHexDigit && !$0.isUppercase })
        }
        #expect(seen.count == 1_000)
    }

    @Test func `the bits are spread evenly enough for shuffling and back-off`() {
        var random = SeededRandom(seed: 9)
        var ones = [Int](repeating: 0, count: 64)
        for _ in 0..<4_000 {
            let number = random.next()
            for bit in 0..<64 where number >> UInt64(bit) & 1 == 1 { ones[bit] += 1 }
        }
        // Seven standard deviations on either side of the half.
        #expect(ones.allSatisfy { abs($0 - 2_000) < 222 })
    }
}
