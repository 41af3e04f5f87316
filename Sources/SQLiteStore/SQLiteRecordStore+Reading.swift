import Records
import Store

extension SQLiteRecordStore {
    /// The record of a key, or nil.
    func record(_ key: RecordKey) throws(SQLiteFault) -> Record? {
        guard let stored = layout.storedKey(key) else { return nil }
        return try tables[key.model].record(stored.values)
    }

    func pages(_ queries: [RecordQuery]) throws(SQLiteFault) -> StoreAnswer {
        var pages: [RecordPage] = []
        for query in queries {
            let plan: ScanPlan?
            do throws(StoreFailure) { plan = try ScanPlan(query, layout: layout) } catch {
                return .failed(error)
            }
            var page = RecordPage(records: [], next: nil)
            if let plan { try fill(&page, plan) }
            pages.append(page)
        }
        return .pages(pages)
    }

    private func fill(_ page: inout RecordPage, _ plan: ScanPlan) throws(SQLiteFault) {
        let table = tables[plan.query.model]
        for scan in Scan.all(of: plan, in: table.model) {
            let statement = try connection.statement(scan.sql(selection: table.selection))
            scan.bind(to: statement)
            defer { statement.reset() }
            while try statement.step() {
                let record = try table.record(in: statement)
                guard plan.passesSort(record), try passes(plan.query.filter, record) else {
                    continue
                }
                if page.records.count == plan.query.limit {
                    page.next = page.records.last.map(plan.cursor(behind:))
                    return
                }
                page.records.append(record)
            }
        }
    }

    /// Whether a record passes, with what its relations lead to now.
    func passes(_ filter: Filter, _ record: Record) throws(SQLiteFault) -> Bool {
        if case .all = filter { return true }
        var fault: SQLiteFault?
        let result = filter.matches(record) { steps in
            guard fault == nil else { return nil }
            do throws(SQLiteFault) {
                return try layout.record(along: steps, from: record, read: self.record)
            } catch {
                fault = error
                return nil
            }
        }
        if let fault { throw fault }
        return result
    }
}
