/// A small, fast generator that gives the same numbers for the same seed (xoshiro256**).
///
/// The sans-IO rooms get one at their start: from the operating system's random source in the
/// server, from the run's seed in simulation. Not for secrets.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// Spreads the seed over the state with splitmix64, as the generator's authors advise.
    public init(seed: UInt64) {
        var source = seed
        func draw() -> UInt64 {
            source &+= 0x9e37_79b9_7f4a_7c15
            var z = source
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
        state = (draw(), draw(), draw(), draw())
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        let result = rotate(state.1 &* 5, 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = rotate(state.3, 45)
        return result
    }

    private func rotate(_ value: UInt64, _ places: UInt64) -> UInt64 {
        value << places | value >> (64 - places)
    }

    /// A random UUID of version 4 (RFC 9562 §5.4) in its lower-case text form.
    public mutating func nextUUID() -> Text {
        var high = next()
        var low = next()
        high = high & 0xffff_ffff_ffff_0fff | 0x0000_0000_0000_4000
        low = low & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        let digits: StaticString = "0123456789abcdef"
        return Text(
            String(unsafeUninitializedCapacity: 36) { output in
                var at = 0
                for index in 0..<32 {
                    if index == 8 || index == 12 || index == 16 || index == 20 {
                        output[at] = UInt8(ascii: "-")
                        at += 1
                    }
                    let word = index < 16 ? high : low
                    let nibble = Int(word >> UInt64(60 - index % 16 * 4) & 15)
                    output[at] = digits.utf8Start[nibble]
                    at += 1
                }
                return 36
            })
    }
}
