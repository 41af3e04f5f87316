import Testing

@testable import IsolationNationBot

struct PostcodeAreaTests {
    @Test(arguments: [
        ("SW1A 1AA", "SW1A"), ("SW1A", "SW1A"), ("sw1a 1aa", "SW1A"), ("SW1A1AA", "SW1A"),
        ("  sw1a1aa\t", "SW1A"), ("M1 1AE", "M1"), ("M11AE", "M1"), ("M60 1NW", "M60"),
        ("CR2 6XH", "CR2"), ("DN55 1PT", "DN55"), ("DN551PT", "DN55"), ("W1A 0AX", "W1A"),
        ("EC1A   1BB", "EC1A"), ("M1", "M1"), ("DN55", "DN55"),
    ])
    func `the part in front of the blank is the area`(text: String, area: String) {
        #expect(PostcodeArea(text)?.name == area)
    }

    @Test(arguments: [
        "", " ", "1AA", "SW1A 1A", "SW1A 11A", "SW1A AAA", "SWAA 1AA", "S W1A1AA", "SW1A 1 AA",
        "SW1A-1AA", "London", "12345", "SW1A 1AA 1AA", "ÄB1 1AA", "ABC1 1AA", "SW1AA",
    ])
    func `nonsense is no postcode`(text: String) {
        #expect(PostcodeArea(text) == nil)
    }
}
