public import Bytes

/// Dates and times in the forms of the AWS scalars (AppSync contract 5), and milliseconds since
/// 1970 as text. The proleptic Gregorian calendar, as ISO 8601 has it.
public enum CalendarText {
    /// `YYYY-MM-DDThh:mm:ss.sssZ` for a count of milliseconds since 1970 in UTC.
    ///
    /// Always three digits of fraction and `Z`: what amplify-swift's `Temporal` writes, and what
    /// sorts by bytes as by time. Years are cut to 0...9999.
    public static func dateTime(milliseconds: Int64) -> Text {
        let limited = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let day = limited >= 0 ? limited / 86_400_000 : (limited - 86_399_999) / 86_400_000
        let rest = Int(limited - day * 86_400_000)
        let date = civil(daysSince1970: Int(day))
        return Text(
            String(unsafeUninitializedCapacity: 24) { output in
                var at = 0
                func put(_ value: Int, digits: Int, then separator: UInt8) {
                    var rest = value
                    for place in stride(from: digits - 1, through: 0, by: -1) {
                        output[at + place] = UInt8(ascii: "0") + UInt8(rest % 10)
                        rest /= 10
                    }
                    output[at + digits] = separator
                    at += digits + 1
                }
                put(date.year, digits: 4, then: UInt8(ascii: "-"))
                put(date.month, digits: 2, then: UInt8(ascii: "-"))
                put(date.day, digits: 2, then: UInt8(ascii: "T"))
                put(rest / 3_600_000, digits: 2, then: UInt8(ascii: ":"))
                put(rest / 60_000 % 60, digits: 2, then: UInt8(ascii: ":"))
                put(rest / 1000 % 60, digits: 2, then: UInt8(ascii: "."))
                put(rest % 1000, digits: 3, then: UInt8(ascii: "Z"))
                return at
            })
    }

    /// The date that lies so many days after 1970-01-01: eras of 400 years of 146,097 days,
    /// counted from March so that the leap day is a year's last.
    static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// `YYYY-MM-DD` with an optional offset.
    static func isDate(_ text: Text) -> Bool {
        var reader = TextReader(text)
        return reader.date() && (reader.isAtEnd || reader.offset()) && reader.isAtEnd
    }

    /// `hh:mm`, `hh:mm:ss` or `hh:mm:ss.sss` with an optional offset.
    static func isTime(_ text: Text) -> Bool {
        var reader = TextReader(text)
        return reader.time() && (reader.isAtEnd || reader.offset()) && reader.isAtEnd
    }

    /// A date, `T`, a time, and an offset that must be there.
    static func isDateTime(_ text: Text) -> Bool {
        var reader = TextReader(text)
        guard reader.date(), reader.take(UInt8(ascii: "T")), reader.time() else { return false }
        return reader.offset() && reader.isAtEnd
    }
}

extension TextReader {
    fileprivate mutating func date() -> Bool {
        guard let year = digits(4), take(UInt8(ascii: "-")), let month = digits(2),
            take(UInt8(ascii: "-")), let day = digits(2), (1...12).contains(month)
        else { return false }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day >= 1 && day <= days[month - 1]
    }

    fileprivate mutating func time() -> Bool {
        guard let hour = digits(2), hour < 24, take(UInt8(ascii: ":")),
            let minute = digits(2), minute < 60
        else { return false }
        guard take(UInt8(ascii: ":")) else { return true }
        guard let second = digits(2), second < 60 else { return false }
        return take(UInt8(ascii: ".")) ? skipDigits(limit: 9) != nil : true
    }

    /// `Z` or `±hh:mm[:ss]`; the seconds are AWS's addition to ISO 8601.
    fileprivate mutating func offset() -> Bool {
        if take(UInt8(ascii: "Z")) { return true }
        guard take(UInt8(ascii: "+")) || take(UInt8(ascii: "-")) else { return false }
        guard let hour = digits(2), hour < 24, take(UInt8(ascii: ":")),
            let minute = digits(2), minute < 60
        else { return false }
        guard take(UInt8(ascii: ":")) else { return true }
        return digits(2).map { $0 < 60 } ?? false
    }
}
