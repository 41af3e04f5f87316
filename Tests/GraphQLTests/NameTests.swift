import Bytes
import Testing

@testable import GraphQL

/// The tables of names beside dictionaries, for few and for many names.
@Suite struct NameTests {
    /// Names of all lengths around the words that hashing takes them by.
    private func names(_ count: Int) -> [Text] {
        (0..<count).map { Text(String(repeating: "n", count: $0 % 19) + "\($0)") }
    }

    @Test(arguments: [0, 1, 2, 5, 31, 32, 33, 500])
    func `an index finds the first place of each of its names, and no other`(count: Int) {
        let names = names(count)
        let index = NameIndex(names + names)
        for (place, name) in names.enumerated() { #expect(index[name] == place) }
        #expect(index["absent"] == nil)
        #expect(index[""] == nil)
        #expect(index[Text(String(repeating: "n", count: 40))] == nil)
    }

    @Test func `names of different owners are told apart`() {
        let entries = names(40).flatMap { name in
            (0..<6).map { (owner: $0, name: name, place: $0) }
        }
        let index = NameIndex(entries)
        for entry in entries {
            #expect(index.place(of: entry.name, in: entry.owner) == entry.place)
        }
        #expect(index.place(of: entries[0].name, in: 6) == nil)
    }

    @Test(arguments: [0, 1, 31, 32, 33, 34, 200])
    func `names are numbered in the order of their first appearance`(count: Int) {
        let names = names(count)
        var numbers = NameNumbers()
        for _ in 0..<2 {
            for (number, name) in names.enumerated() {
                let given = numbers.number(of: name)
                #expect(given == number)
            }
        }
        #expect(numbers.count == count)
        for (number, name) in names.enumerated() { #expect(numbers[name] == number) }
        #expect(!numbers.contains("absent"))
        numbers.removeAll()
        #expect(numbers.count == 0)
        #expect(numbers["n1"] == nil)
        let inserted = [numbers.insert("again"), numbers.insert("again")]
        #expect(inserted == [true, false])
        #expect(numbers["again"] == 0)
    }

    @Test func `the names of a list are numbered once each`() {
        let numbers = NameNumbers(["a", "b", "a", "c"])
        #expect(numbers.count == 3)
        #expect(numbers["c"] == 2)
    }
}
