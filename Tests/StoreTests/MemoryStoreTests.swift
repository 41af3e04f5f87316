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
