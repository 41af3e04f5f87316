import Bytes
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

@Suite struct MemoryStoreRandomTests {
    @Test(arguments: 1...40) func `random operations answer as a plain list does`(seed: UInt64) {
        let difference = firstDifference(
            MemoryStore(layout: Sample.layout, epoch: "e"),
            ReferenceStore(layout: Sample.layout), seed: seed, batches: 60)
        #expect(difference == nil)
    }
}
