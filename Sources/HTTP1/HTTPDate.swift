public import Bytes

/// Dates as HTTP writes them: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
public enum HTTPDate {
    /// Appends the date of that second since 1970, in UTC.
    ///
    /// - Precondition: `unixSeconds` lies in the years 1970 to 9999.
    public static func append(unixSeconds: Int64, to output: inout ByteQueue) {
        precondition((0..<253_402_300_800).contains(unixSeconds), "date beyond the year 9999")
        let days = Int(unixSeconds / 86_400)
        let seconds = Int(unixSeconds % 86_400)
        let (year, month, day) = civil(daysSince1970: days)
        // 1970-01-01 was a Thursday.
        append(threeLettersOf: "SunMonTueWedThuFriSat", at: (days + 4) % 7, to: &output)
        output.append(", ")
        appendTwoDigits(day, to: &output)
        output.append(ASCII.space)
        append(
            threeLettersOf: "JanFebMarAprMayJunJulAugSepOctNovDec", at: month - 1, to: &output)
        output.append(ASCII.space)
        output.append(decimal: year)
        output.append(ASCII.space)
        appendTwoDigits(seconds / 3600, to: &output)
        output.append(UInt8(ascii: ":"))
        appendTwoDigits(seconds / 60 % 60, to: &output)
        output.append(UInt8(ascii: ":"))
        appendTwoDigits(seconds % 60, to: &output)
        output.append(" GMT")
    }

    /// Year, month and day in the Gregorian calendar. Counts in eras of 400 years (146,097
    /// days) whose years begin in March, so that the leap day is a year's last.
    private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = shifted / 146_097 * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func append(
        threeLettersOf names: StaticString, at index: Int, to output: inout ByteQueue
    ) {
        output.append(UnsafeRawBufferPointer(start: names.utf8Start + index * 3, count: 3))
    }

    private static func appendTwoDigits(_ value: Int, to output: inout ByteQueue) {
        output.append(UInt8(48 + value / 10))
        output.append(UInt8(48 + value % 10))
    }
}
