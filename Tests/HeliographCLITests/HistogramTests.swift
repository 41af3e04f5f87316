import Bytes
import Testing

@testable import HeliographCLI

struct HistogramTests {
    @Test func `an empty histogram says zero`() {
        let histogram = Histogram()
        #expect(histogram.count == 0)
        #expect(histogram.max == 0)
        #expect(histogram.percentile(0.5) == 0)
    }

    @Test func `small values are exact`() {
        var histogram = Histogram()
        for value in Int64(0)...255 { histogram.record(value) }
        #expect(histogram.count == 256)
        #expect(histogram.percentile(0.5) == 127)
        #expect(histogram.percentile(1) == 255)
        #expect(histogram.percentile(0) == 0)
    }

    @Test(arguments: [200, 1_000, 65_535, 65_536, 1_000_003, 3_600_000_000_000] as [Int64])
    func `a large value is off by less than one percent and never too small`(value: Int64) {
        var histogram = Histogram()
        histogram.record(value)
        histogram.record(value * 4)
        let read = histogram.percentile(0.5)
        #expect(read >= value)
        #expect(Double(read) < Double(value) * 1.01)
    }

    @Test func `the greatest value is kept exactly and bounds the percentiles`() {
        var histogram = Histogram()
        histogram.record(1_000_003)
        #expect(histogram.max == 1_000_003)
        #expect(histogram.percentile(0.999) == 1_000_003)
    }

    @Test func `negative and overlong values count at the ends`() {
        var histogram = Histogram()
        histogram.record(-5)
        histogram.record(.max)
        #expect(histogram.count == 2)
        #expect(histogram.percentile(0.5) == 0)
        #expect(histogram.max == .max)
        #expect(histogram.percentile(1) >= (1 << 42) - 1)
    }

    @Test func `percentiles agree with a sorted list`() {
        var random = SeededRandom(seed: 7)
        var histogram = Histogram()
        var values: [Int64] = []
        for _ in 0..<10_000 {
            let value = Int64.random(
                in: 0...(1 << Int.random(in: 1...40, using: &random)), using: &random)
            values.append(value)
            histogram.record(value)
        }
        values.sort()
        for share in [0.01, 0.5, 0.9, 0.99, 0.999, 1] {
            let exact = values[Int((share * 10_000).rounded(.up)) - 1]
            let read = histogram.percentile(share)
            #expect(read >= exact && Double(read) <= Double(exact) * 1.01 + 1, "\(share)")
        }
    }

    @Test func `two merged are one that counted all`() {
        var (one, other, all) = (Histogram(), Histogram(), Histogram())
        for value in stride(from: Int64(1), to: 1_000_000, by: 997) {
            all.record(value)
            if value.isMultiple(of: 2) { one.record(value) } else { other.record(value) }
        }
        one.merge(other)
        #expect(one.count == all.count)
        #expect(one.max == all.max)
        for share in [0.1, 0.5, 0.99] { #expect(one.percentile(share) == all.percentile(share)) }
    }
}
