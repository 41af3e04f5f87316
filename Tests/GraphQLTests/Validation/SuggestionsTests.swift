import Bytes
import GraphQL
import Testing

struct SuggestionsTests {
    @Test(arguments: [
        ("nam", ["name", "nickname", "id"], ["name"]),
        ("NAME", ["name"], ["name"]),
        ("nmae", ["name", "names"], ["name", "names"]),
        ("greetings", ["greeting"], ["greeting"]),
        ("x", ["y", "xy", "xyz"], ["xy", "y"]),
        ("abc", ["xyz"], []),
        ("a", [], []),
        ("verylongname", ["verylong", "evrylongname"], ["evrylongname", "verylong"]),
        (
            "aaaa", ["aaab", "aaac", "aaad", "aaae", "aaaf", "aaag"],
            ["aaab", "aaac", "aaad", "aaae", "aaaf"]
        ),
    ])
    func `the nearest names come first`(word: String, names: [String], near: [String]) {
        let found = Suggestions.near(Text(word), among: names.map { Text($0) })
        #expect(found.map(\.string) == near)
    }

    @Test func `words of any length are no work`() {
        let long = Text(String(repeating: "a", count: 100_000))
        #expect(Suggestions.near(long, among: ["a", long]).isEmpty)
        #expect(Suggestions.near("a", among: [long]).isEmpty)
    }

    @Test(arguments: [
        ([], ""),
        (["a"], " Did you mean \"a\"?"),
        (["a", "b"], " Did you mean \"a\" or \"b\"?"),
        (["a", "b", "c"], " Did you mean \"a\", \"b\", or \"c\"?"),
        (["a", "b", "c", "d", "e", "f"], " Did you mean \"a\", \"b\", \"c\", \"d\", or \"e\"?"),
    ])
    func `names are listed in a question`(names: [String], question: String) {
        #expect(Suggestions.question(names.map { Text($0) }) == question)
    }

    @Test func `a question says what the names are`() {
        #expect(
            Suggestions.question(["A"], kind: "the enum value")
                == " Did you mean the enum value \"A\"?")
    }
}
