import Bytes
import JSON
import Records
import Store
import StoreConformance
import Testing

@Suite struct MemoryStoreTests {
    @Test(arguments: Law.all) func `the memory store keeps the law`(law: Law) throws {
        let findings = try law.findings { MemoryStore(layout: $0, epoch: "e") }
        #expect(findings == [])
    }
}

@Suite struct MemoryStoreHistoryTests {
    /// Which offsets between 0 and the last the store can still go on behind.
    private func known(_ store: MemoryStore) -> Int {
        (0..<store.committedOffset).count { store.changes(after: $0, limit: 1) != .unknown }
    }

    @Test func `changes are forgotten by number and by size`() throws {
        for (count, bytes, expected) in [(10, 1 << 30, 10...10), (1_000, 50_000, 1...100)] {
            let store = MemoryStore(
                layout: Sample.layout, epoch: "e", changesKeptMax: count,
                changeBytesKeptMax: bytes)
            for number in 0..<200 {
                let name = JSONValue.string(Text(String(repeating: "x", count: 1_000)))
                let id = JSONValue.string(Text("\(number)"))
                _ = store.perform([Sample.create(Sample.room, [id, name, .null])])
                #expect(store.changes(after: store.committedOffset, limit: 1) != .unknown)
            }
            #expect(expected.contains(known(store)), "\(known(store))")
        }
    }
}

@Suite struct MemoryStoreRandomTests {
    @Test(arguments: 1...40) func `random operations answer as a plain list does`(seed: UInt64) {
        let difference = firstDifference(
            MemoryStore(layout: Sample.layout, epoch: "e"),
            ReferenceStore(layout: Sample.layout), seed: seed, batches: 60)
        #expect(difference == nil)
    }
}
