import Bytes
import JSON
import Records
import Store
import StoreConformance
import Testing

@testable import SQLiteStore

@Suite struct ScanTests {
    @Test func `every query is answered from its index, without sorting or scanning`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteRecordStore(
            path: folder.file("data.db"), layout: Sample.layout, newEpoch: "e")
        var operations = RandomOperations(seed: 3)
        var seen: Set<String> = []
        for _ in 0..<150 {
            let batch = operations.batch()
            operations.note(batch, store.perform(batch))
            for case .query(let queries) in batch {
                for query in queries {
                    guard let plan = try ScanPlan(query, layout: Sample.layout) else { continue }
                    let table = store.tables[query.model]
                    for scan in Scan.all(of: plan, in: table.model) {
                        let sql = scan.sql(selection: table.selection)
                        guard seen.insert(sql).inserted else { continue }
                        try check(query, sql, store.connection)
                    }
                }
            }
        }
        #expect(seen.count > 100)
    }

    private func check(_ query: RecordQuery, _ sql: String, _ connection: Connection) throws {
        let statement = try connection.prepare("EXPLAIN QUERY PLAN " + sql)
        while try statement.step() {
            let step = statement.text(at: 3).string
            #expect(!step.contains("TEMP B-TREE"), "\(sql)")
            #expect(query.source == .all || step.hasPrefix("SEARCH"), "\(step): \(sql)")
            #expect(query.after == nil || step.hasPrefix("SEARCH"), "\(step): \(sql)")
        }
    }

    @Test func `a wide record of every place comes through the lent buffer`() throws {
        let folder = try TemporaryFolder()
        let fields = (0..<200).map { FieldLayout(name: Text("f\($0)"), kind: .text) }
        let store = try Notes.open(folder.file("data.db"), Notes.layout(fields))
        var wanted: [[JSONValue]] = []
        for row in 0..<20 {
            let values = (0..<200).map { slot -> JSONValue in
                .string(Text(String(repeating: "\(row),\(slot);", count: (row * slot) % 7)))
            }
            let key = RecordKey(model: 0, values: [.string(Text("\(row)"))])
            let row = [key.values[0]] + values.dropFirst()
            _ = store.perform([.write(RecordWrite(key: key, action: .create(row)))])
            wanted.append(row)
        }
        #expect(store.everything == wanted)
        #expect(store.history.map(\.record.values) == wanted)
    }
}
