import Bytes
import JSON
import Records
import Testing

@testable import Models

@Suite struct PageTokenTests {
    let cursor = RecordQuery.Cursor(sort: ["2026-01-01T00:00:00.000Z", nil, 3], sequence: 42)

    @Test func `a token leads back to its place`() throws {
        let token = PageToken.encode(cursor, binding: 7)
        #expect(try PageToken.decode(token, binding: 7, sortCount: 3) == cursor)
        let isOpaque = token.string.utf8.allSatisfy {
            isLetter($0) || isDigit($0) || $0 == 45 || $0 == 95
        }
        #expect(isOpaque)
    }

    @Test func `a token of another query is refused as such`() {
        let token = PageToken.encode(cursor, binding: 7)
        #expect(throws: PageToken.Fault.otherQuery) {
            try PageToken.decode(token, binding: 8, sortCount: 3)
        }
    }

    @Test func `a token that is cut or changed anywhere is refused`() {
        let token = PageToken.encode(cursor, binding: 7)
        let characters = Array(token.string)
        for index in characters.indices {
            var changed = characters
            changed[index] = changed[index] == "A" ? "B" : "A"
            for text in [String(changed), String(characters[..<index])] {
                // The last character may hold unused bits, so that it still means the same.
                let result = try? PageToken.decode(Text(text), binding: 7, sortCount: 3)
                #expect(result == nil || result == cursor && index == characters.count - 1)
            }
        }
    }

    @Test(arguments: [
        "", "x", "cnViYmlzaA", "-1", String(repeating: "7", count: 40), "1 OR 1=1; --",
        String(repeating: "A", count: 100_000), "\0", "AQ==", "é",
    ])
    func `a made-up token is refused`(token: String) {
        #expect(throws: PageToken.Fault.unreadable) {
            try PageToken.decode(Text(token), binding: 7, sortCount: 3)
        }
    }

    @Test func `a query's binding changes with all but the page's size and place`() {
        let layout = DataLayout(models: [
            ModelLayout(
                name: "A", fields: [FieldLayout(name: "id", kind: .text)], key: [0],
                indexes: [IndexLayout(name: "i", hash: [0], sort: [0])]),
            ModelLayout(name: "B", fields: [FieldLayout(name: "id", kind: .text)], key: [0]),
        ])
        func test(_ value: JSONValue) -> Filter { .test(.init(slot: 0), .equal(value)) }
        var queries = [
            RecordQuery(model: 0), RecordQuery(model: 1), RecordQuery(model: 0, isDescending: true),
            RecordQuery(model: 0, source: .key(hash: "a")),
            RecordQuery(model: 0, source: .key(hash: "b")),
            RecordQuery(model: 0, source: .index(0, hash: ["a"])),
            RecordQuery(model: 0, sort: .init(test: .equal("a"))),
            RecordQuery(model: 0, sort: .init(equal: ["a"])),
            RecordQuery(model: 0, filter: .not(test("a"))),
            RecordQuery(model: 0, filter: .and([test("a"), test("b")])),
            RecordQuery(model: 0, filter: .or([test("a"), test("b")])),
            RecordQuery(model: 0, filter: .test(.init(relations: [0], slot: 0), .equal("a"))),
        ]
        let tests: [Filter.Test] = [
            .equal("a"), .equal("b"), .notEqual("a"), .less("a"), .lessOrEqual("a"), .greater("a"),
            .greaterOrEqual("a"), .between("a", "b"), .beginsWith("a"), .contains("a"),
            .notContains("a"), .isIn(["a"]), .isNotIn(["a"]), .containsAny(["a"]), .exists(true),
            .exists(false), .hasType(.string), .hasType(.null), .size(.equal(1)),
            .size(.notEqual(1)), .size(.less(1)), .size(.lessOrEqual(1)), .size(.greater(1)),
            .size(.greaterOrEqual(1)), .size(.between(1, 2)),
        ]
        queries += tests.map { RecordQuery(model: 0, filter: .test(.init(slot: 0), $0)) }
        let bindings = queries.map { StableHash.binding(of: $0, in: layout) }
        #expect(Set(bindings).count == queries.count)
        let paged = RecordQuery(model: 0, limit: 3, after: .init(sort: [], sequence: 9))
        #expect(StableHash.binding(of: paged, in: layout) == bindings[0])
        // The same in every process and release: tokens outlive a restart.
        #expect(bindings[0] == StableHash.binding(of: RecordQuery(model: 0), in: layout))
    }
}
