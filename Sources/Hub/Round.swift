import Records

/// What one round of an execution asks of the store, handed out in slices.
///
/// A level of nested lists can ask for millions of records at once. In slices the shard sees how
/// much has come before it asks for more, and the store serves others in between.
struct Round {
    private let requests: [StoreRequest]
    /// The first request that was not asked to its end, and how many of its items were.
    private var request = 0
    private var item = 0
    /// Whether the slice that is out began inside a request whose first items were answered.
    private var continuesRequest = false
    /// Answers so far, one a request; the last may lack the items that were not asked yet.
    private(set) var answers: [StoreAnswer] = []
    /// Records that have come, and one for each page.
    private(set) var recordCount = 0

    init(_ requests: [StoreRequest]) { self.requests = requests }

    /// Requests that can bring about this many records together, at least one item; empty at
    /// the end.
    mutating func next(recordsMax: Int) -> [StoreRequest] {
        continuesRequest = item > 0
        var slice: [StoreRequest] = []
        var room = recordsMax
        while request < requests.count, room > 0 {
            let (part, isWhole) = part(of: requests[request], &room)
            slice.append(part)
            guard isWhole else { break }
            request += 1
            item = 0
        }
        return slice
    }

    /// The rest of a request, or as much of it as there is room for.
    private mutating func part(
        of request: StoreRequest, _ room: inout Int
    ) -> (StoreRequest, isWhole: Bool) {
        switch request {
        case .get(let keys):
            let end = min(keys.count, item + room)
            room -= end - item
            defer { item = end }
            if item == 0 && end == keys.count { return (request, true) }
            return (.get(Array(keys[item..<end])), end == keys.count)
        case .query(let queries):
            let start = item
            while item < queries.count, item == start || room > 0 {
                room -= queries[item].limit
                item += 1
            }
            if start == 0 && item == queries.count { return (request, true) }
            return (.query(Array(queries[start..<item])), item == queries.count)
        case .write, .watch, .unwatch:
            room -= 1
            return (request, true)
        }
    }

    /// The answers to the slice that was handed out last.
    mutating func take(_ slice: [StoreAnswer]) {
        for answer in slice {
            switch answer {
            case .records(let records): recordCount += records.count
            case .pages(let pages): for page in pages { recordCount += 1 + page.records.count }
            case .written, .refused, .watching, .failed: recordCount += 1
            }
        }
        if answers.isEmpty {
            answers = slice
            return
        }
        guard continuesRequest, let last = answers.popLast(), let first = slice.first else {
            answers += slice
            return
        }
        answers.append(Self.joined(last, first))
        answers += slice.dropFirst()
    }

    /// Two parts of one request's answer; if one failed, the whole did.
    private static func joined(_ first: StoreAnswer, _ second: StoreAnswer) -> StoreAnswer {
        switch (first, second) {
        case (.records(let head), .records(let tail)): .records(head + tail)
        case (.pages(let head), .pages(let tail)): .pages(head + tail)
        case (.failed, _): first
        default: second
        }
    }
}
