import Bytes
import Records
import SQLiteStore
import Store
import StoreConformance
import Testing

@Suite struct SQLiteConformanceTests {
    @Test(arguments: Law.all) func `the durable store keeps the law`(law: Law) throws {
        let folder = try TemporaryFolder()
        let findings = try law.findings {
            try SQLiteRecordStore(path: folder.file("data.db"), layout: $0, newEpoch: "e")
        }
        #expect(findings == [])
    }
}

@Suite struct SQLiteRandomTests {
    @Test(arguments: 1...16) func `random operations answer as in memory`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let memory = MemoryStore(layout: Sample.layout, epoch: "e")
        let store = try SQLiteRecordStore(
            path: folder.file("data.db"), layout: Sample.layout, newEpoch: "e")
        #expect(firstDifference(store, memory, seed: seed, batches: 60) == nil)
        let all = RelationPath(model: Sample.message, steps: [0, 0])
        _ = store.perform([.watch([all])])
        _ = memory.perform([.watch([all])])
        #expect(store.changes(after: 0, limit: 5000) == memory.changes(after: 0, limit: 5000))
    }
}
