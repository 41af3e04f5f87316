public import Bytes

/// How long to wait before the next attempt: exponential with full jitter.
///
/// Each wait is drawn from zero up to a bound that doubles, so that clients that lost the same
/// server do not come back at the same moment (B167). The first bound decides how hard thousands
/// of them knock at a server that is back at once; the cap, how long the last of them is away.
public struct BackOff: Sendable, Hashable {
    /// The bound of the first wait.
    public var baseNanoseconds: Int64 = 1_000_000_000
    /// The bound that the doubling stops at.
    public var capNanoseconds: Int64 = 5_000_000_000
    /// The longest that a server's wish to come later is followed.
    public var hintNanosecondsMax: Int64 = 60_000_000_000

    /// The defaults: 1 s, doubled up to 5 s.
    public init() {}

    /// The wait before attempt number `attempt` in a row; the first is 0.
    public func wait(attempt: Int, random: inout SeededRandom) -> Int64 {
        Int64.random(in: 0...bound(attempt: attempt), using: &random)
    }

    /// The longest that this wait can be.
    public func bound(attempt: Int) -> Int64 {
        let doubled = baseNanoseconds.multipliedReportingOverflow(by: 1 << min(max(attempt, 0), 40))
        return doubled.overflow ? capNanoseconds : min(capNanoseconds, doubled.partialValue)
    }

    /// When to come again if the server asked for no attempt before `time`: then, or a little
    /// later, since it may have asked many for the same moment.
    func moment(hinted time: Int64, random: inout SeededRandom) -> Int64 {
        time + Int64.random(in: 0...(baseNanoseconds / 4), using: &random)
    }
}
