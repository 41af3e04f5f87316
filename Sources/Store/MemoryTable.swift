import JSON
import Records

/// One model's records in memory, by key and in every order that queries can ask for.
struct MemoryTable {
    private let model: ModelLayout
    private var rows: [Record?] = []
    private var freeRows: [Int] = []
    private var places: [[JSONValue]: Int] = [:]
    private var creation = OrderedEntries()
    /// The key's own order first (unused if the key is a single field), then the indexes.
    private var orders: [MemoryOrder]

    init(model: ModelLayout) {
        self.model = model
        orders = [MemoryOrder(hash: [model.key[0]], sort: Array(model.key.dropFirst()))]
        orders += model.indexes.map { MemoryOrder(hash: $0.hash, sort: $0.sort) }
    }

    func record(_ key: [JSONValue]) -> Record? { places[key].flatMap { rows[$0] } }

    mutating func insert(_ record: Record) {
        let row = freeRows.popLast() ?? rows.count
        if row == rows.count { rows.append(record) } else { rows[row] = record }
        places[key(of: record)] = row
        creation.insert(OrderedEntries.Entry(sort: [], sequence: record.sequence, row: row))
        for order in kept { orders[order].insert(record, row: row) }
    }

    mutating func replace(_ old: Record, by new: Record) {
        guard let row = places[key(of: old)] else { return }
        rows[row] = new
        for order in kept where orders[order].tells(old, from: new) {
            orders[order].remove(old)
            orders[order].insert(new, row: row)
        }
    }

    mutating func remove(_ record: Record) {
        guard let row = places.removeValue(forKey: key(of: record)) else { return }
        rows[row] = nil
        freeRows.append(row)
        creation.remove(sort: [], sequence: record.sequence)
        for order in kept { orders[order].remove(record) }
    }

    /// Calls `body` with the plan's records in its order until it returns false.
    func scan(_ plan: ScanPlan, _ body: (Record) -> Bool) {
        switch plan.query.source {
        case .all: scan(creation, plan, body)
        case .key where model.key.count == 1:
            guard let record = record(plan.hash) else { return }
            if let after = plan.after {
                let isBehind = record.sequence > after.sequence
                let isBefore = record.sequence < after.sequence
                guard plan.query.isDescending ? isBefore : isBehind else { return }
            }
            _ = body(record)
        case .key: scan(orders[0].group(plan.hash), plan, body)
        case .index(let number, _): scan(orders[number + 1].group(plan.hash), plan, body)
        }
    }

    private func scan(
        _ entries: OrderedEntries?, _ plan: ScanPlan, _ body: (Record) -> Bool
    ) {
        guard let entries else { return }
        let range = entries.range(of: plan)
        var place = plan.query.isDescending ? range.upperBound : range.lowerBound
        while plan.query.isDescending ? place > range.lowerBound : place < range.upperBound {
            if plan.query.isDescending { place = entries.position(before: place) }
            guard let record = rows[entries[place].row] else {
                preconditionFailure("an index names records that exist")
            }
            guard body(record) else { return }
            if !plan.query.isDescending { place = entries.position(after: place) }
        }
    }

    private var kept: Range<Int> { (model.key.count == 1 ? 1 : 0)..<orders.count }

    private func key(of record: Record) -> [JSONValue] { model.key.map { record.values[$0] } }
}

/// One order of a model's records: grouped by the hash fields, sorted in each group.
private struct MemoryOrder {
    let hash: [Int]
    let sort: [Int]
    private var groups: [[JSONValue]: OrderedEntries] = [:]

    init(hash: [Int], sort: [Int]) {
        self.hash = hash
        self.sort = sort
    }

    func group(_ hash: [JSONValue]) -> OrderedEntries? { groups[hash] }

    /// Whether the two records stand at different places of this order.
    func tells(_ old: Record, from new: Record) -> Bool {
        hash.contains { old.values[$0] != new.values[$0] }
            || sort.contains { old.values[$0] != new.values[$0] }
    }

    mutating func insert(_ record: Record, row: Int) {
        guard let group = groupKey(of: record) else { return }
        groups[group, default: OrderedEntries()].insert(
            OrderedEntries.Entry(
                sort: sort.map { record.values[$0] }, sequence: record.sequence, row: row))
    }

    mutating func remove(_ record: Record) {
        guard let group = groupKey(of: record) else { return }
        groups[group]?.remove(sort: sort.map { record.values[$0] }, sequence: record.sequence)
        if groups[group]?.isEmpty == true { groups[group] = nil }
    }

    /// Nil if one of the hash fields is null: no query finds the record here.
    private func groupKey(of record: Record) -> [JSONValue]? {
        let values = hash.map { record.values[$0] }
        return values.contains(where: \.isNull) ? nil : values
    }
}

extension OrderedEntries {
    /// The stretch that a plan reads.
    fileprivate func range(of plan: ScanPlan) -> Range<Position> {
        var low = start
        var high = end
        if !plan.equal.isEmpty || plan.test != nil {
            low = partition { Self.side(of: $0, plan) < 0 }
            high = partition { Self.side(of: $0, plan) <= 0 }
        }
        if let after = plan.after {
            if plan.query.isDescending {
                high = min(high, partition { Self.order($0, after.sort, after.sequence) < 0 })
            } else {
                low = max(low, partition { Self.order($0, after.sort, after.sequence) <= 0 })
            }
        }
        return low..<max(low, high)
    }

    private static func side(of entry: Entry, _ plan: ScanPlan) -> Int {
        for (index, value) in plan.equal.enumerated() {
            if FieldOrder.sortsBefore(entry.sort[index], value) { return -1 }
            if FieldOrder.sortsBefore(value, entry.sort[index]) { return 1 }
        }
        return plan.test?.side(of: entry.sort[plan.equal.count]) ?? 0
    }
}
