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
            try SQLiteStore(path: folder.file("data.db"), layout: $0, newEpoch: "e")
        }
        #expect(findings == [])
    }
}
