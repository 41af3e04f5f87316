import Bytes
import JSON

/// Numbers as people and programs read them.
enum Figure {
    /// With commas between thousands.
    static func count(_ value: Int) -> String {
        let digits = String(value.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return value < 0 ? "-\(text)" : text
    }

    /// With the thing that is counted, in the plural if it is not one.
    static func count(_ value: Int, _ thing: String) -> String {
        "\(count(value)) \(thing)\(value == 1 ? "" : "s")"
    }

    /// A rate: whole, or with one place if it is small.
    static func rate(_ value: Double) -> String {
        value < 100 ? fraction(value) : count(Int(value.rounded()))
    }

    /// With one place.
    static func fraction(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(count(tenths / 10)).\(tenths % 10)"
    }

    /// Bytes as megabytes, with one place.
    static func megabytes(_ bytes: Int) -> String { fraction(Double(bytes) / 1e6) }

    /// Nanoseconds in the unit that fits, with three digits.
    static func time(_ nanoseconds: Int64) -> String {
        let milliseconds = Double(nanoseconds) / 1e6
        switch milliseconds {
        case ..<10: return "\(places(milliseconds, 100)) ms"
        case ..<100: return "\(fraction(milliseconds)) ms"
        case ..<1_000: return "\(Int(milliseconds.rounded())) ms"
        default: return "\(places(milliseconds / 1_000, 100)) s"
        }
    }

    /// The distribution's marks in one line.
    static func times(_ histogram: Histogram) -> String {
        guard histogram.count > 0 else { return "-" }
        return "p50 \(time(histogram.percentile(0.5))), p99 \(time(histogram.percentile(0.99))), "
            + "p99.9 \(time(histogram.percentile(0.999))), max \(time(histogram.max))"
    }

    /// The distribution's marks in milliseconds.
    static func json(_ histogram: Histogram) -> JSONValue {
        guard histogram.count > 0 else { return .null }
        func milliseconds(_ nanoseconds: Int64) -> JSONValue {
            .double(Double(nanoseconds / 1_000) / 1_000)
        }
        return [
            "p50": milliseconds(histogram.percentile(0.5)),
            "p99": milliseconds(histogram.percentile(0.99)),
            "p99.9": milliseconds(histogram.percentile(0.999)),
            "max": milliseconds(histogram.max),
        ]
    }

    /// Filled up with blanks behind.
    static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Filled up with blanks in front.
    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// `scale` is 10 for one place, 100 for two.
    private static func places(_ value: Double, _ scale: Int) -> String {
        let scaled = Int((value * Double(scale)).rounded())
        let rest = String(scaled % scale)
        let zeros = String(repeating: "0", count: String(scale).count - 1 - rest.count)
        return "\(scaled / scale).\(zeros)\(rest)"
    }
}

extension String {
    /// Without the blanks at its end.
    var trimmedAtEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
