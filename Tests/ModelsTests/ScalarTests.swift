import Bytes
import GraphQL
import JSON
import Records
import Testing

@testable import Models

@Suite struct ScalarTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var scalar: FieldScalar
        var good: [JSONValue]
        var bad: [JSONValue]

        var testDescription: String { scalar.rawValue }
    }

    static let table: [Row] = [
        Row(
            scalar: .date,
            good: [
                "2026-03-01", "1970-01-01Z", "1970-01-01-07:00", "1970-01-01+05:30", "2024-02-29",
                "1970-01-01+05:30:15",
            ],
            bad: [
                "", "2026-3-1", "2026-13-01", "2026-02-29", "2026-00-10", "2026-01-00",
                "2026-01-01T", "2026-01-01+5:30", "2026-01-01z", "2026-01-01Z ", 20_260_101,
                "26-1-1",
                "2100-02-29", "２０２６-01-01",
            ]),
        Row(
            scalar: .time,
            good: ["12:30", "12:30:24", "12:30:24.500+05:30", "00:00:00Z", "23:59:59.999999999"],
            bad: [
                "", "24:00", "12:60", "12:30:60", "12:30:24.", "1:30", "12:30:24.1234567890", 12,
            ]),
        Row(
            scalar: .dateTime,
            good: [
                "1970-01-01T12:30:00-08:00", "2026-03-01T12:30:24.500Z", "2026-03-01T12:30Z",
                "1970-01-01T12:30:00.000-08:00:30",
            ],
            bad: [
                "", "2026-03-01T12:30:24.500", "2026-03-01 12:30:24Z", "2026-03-01", "12:30:00Z",
                "2026-03-01t12:30:24Z", "2026-03-01T12:30:24ZZ", true, 1_700_000_000,
            ]),
        Row(
            scalar: .timestamp, good: [0, -1, 1_700_000_000, 1_700_000_000_000],
            bad: ["0", 1.5, true, []]),
        Row(
            scalar: .email,
            good: ["a@b", "first.last+tag@mail.example.com", "o'neil@example.com"],
            bad: [
                "", "a", "a@", "@b", "a@@b", "a b@c", "a@b..c", ".a@b", "a.@b", "a@-b.c", "a@b-.c",
                1, "a@b c",
            ]),
        Row(
            scalar: .json, good: ["{}", "[1,2]", "\"text\"", "1", "null", "true"],
            bad: ["", "{", "text", ["a": 1], 1, "{a:1}"]),
        Row(
            scalar: .url,
            good: ["https://example.com/a?b=c#d", "mailto:a@b", "ftp://h", "a+b-c.1:x"],
            bad: ["", "example.com", ":x", "1a:x", "https:", "https://a b", "ht tp://x", 1]),
        Row(
            scalar: .phone,
            good: [
                "+49 30 123456", "+1-202-555-0123", "(202) 555-0123", "202-555-0123",
                "1 202 555 0123", "2025550123",
            ],
            bad: [
                "", "+", "123", "+0 30 1234", "abc", "202-555-012", "12025550123456", "((202)", 1,
            ]),
        Row(
            scalar: .ipAddress,
            good: [
                "127.0.0.1", "10.0.0.0/8", "::", "::1", "fe80::1/64", "1:2:3:4:5:6:7:8",
                "::ffff:1.2.3.4", "2001:DB8::8:800:200C:417A", "1::",
            ],
            bad: [
                "", "1.2.3", "256.0.0.1", "1.2.3.4/33", "01.2.3.4", "1:2:3:4:5:6:7", "1::2::3",
                ":::", "12345::", "::1/129", "1.2.3.4/", "g::1", "1:2:3:4:5:6:7:8:9", 1,
            ]),
    ]

    @Test(arguments: table) func `an AWS scalar takes its own form and no other`(row: Row) {
        for value in row.good { #expect(row.scalar.accepts(value), "\(value)") }
        for value in row.bad { #expect(!row.scalar.accepts(value), "\(value)") }
    }

    @Test func `all added scalars have a row in the table`() {
        #expect(Set(Self.table.map(\.scalar)) == Set(FieldScalar.added))
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_210_096_789, "2024-02-29T12:34:56.789Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (.max, "9999-12-31T23:59:59.999Z"),
            (.min, "0000-01-01T00:00:00.000Z"),
        ] as [(Int64, Text)])
    func `milliseconds become a date with three digits and Z`(milliseconds: Int64, text: Text) {
        #expect(CalendarText.dateTime(milliseconds: milliseconds) == text)
    }

    @Test func `what is written is accepted and sorts as the time does`() {
        var random = SeededRandom(seed: 1)
        var last: (Int64, Text)?
        let times = (0..<500).map { _ in
            Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random)
        }
        for time in times.sorted() {
            let text = CalendarText.dateTime(milliseconds: time)
            #expect(CalendarText.isDateTime(text))
            if let last { #expect(last.0 == time || last.1 < text) }
            last = (time, text)
        }
    }

    @Test func `random texts are refused without harm`() {
        var random = SeededRandom(seed: 2)
        let alphabet = Array("0123456789:-+.TZ/@[]{} aé".unicodeScalars)
        for _ in 0..<5000 {
            let length = Int.random(in: 0...30, using: &random)
            var text = ""
            for _ in 0..<length {
                text.unicodeScalars.append(
                    alphabet[Int.random(in: alphabet.indices, using: &random)])
            }
            for scalar in FieldScalar.added { _ = scalar.accepts(.string(Text(text))) }
        }
    }

    @Test(arguments: ["date: FOO", "json: FOO", "dates: [FOO]", "inner: {date: FOO}"])
    func `a bare name is no literal of an AWS scalar`(field: String) throws {
        let models = try ModelSchema(
            sdl: """
                type Inner { date: AWSDate }
                type A @model { id: ID! date: AWSDate json: AWSJSON dates: [AWSDate] inner: Inner }
                """)
        let text = Text("mutation { createA(input: {\(field)}) { id } }")
        let prepared = PreparedOperation.prepare(
            text, operationName: nil, schema: models.schema, limits: DocumentLimits())
        guard case .failure(let errors) = prepared else {
            Issue.record("\(field) is accepted")
            return
        }
        #expect(errors.errors.count == 1)
        #expect(errors.errors[0].message.contains("found an enum value"))
    }

    @Test(arguments: ["123456789012345678", "1234567890123456789", "12345678901234567890123"])
    func `an ID of any number of digits is taken as text`(digits: String) throws {
        var run = Run(try ModelSchema(sdl: "type A @model { id: ID! ids: [ID] }"))
        let key = RecordKey(model: 0, id: Text(digits))
        #expect(try run.requests(Text("{ getA(id: \(digits)) { id } }")) == [.get([key])])
        let created = try run.requests(
            Text("mutation { createA(input: {id: \(digits), ids: [\(digits)]}) { id } }"))
        guard case .write(let write)? = created.first, case .create(let values) = write.action
        else {
            Issue.record("no creation")
            return
        }
        #expect(write.key == key)
        #expect(values[1] == .array([.string(Text(digits))]))
    }
}
