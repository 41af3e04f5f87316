import Broker
import Bytes
import JSON
import Records
import Testing

/// Slots of the test model: 0 id, 1 thread, 2 author, 3 number.
private func change(
    _ offset: UInt64, thread: JSONValue = "t1", author: JSONValue = "u1", number: JSONValue = 1,
    kind: Change.Kind = .create, related: [Change.Related] = []
) -> Change {
    Change(
        offset: offset, kind: kind,
        record: Record(model: 0, values: [.string("m"), thread, author, number]), related: related)
}

private func test(_ slot: Int, _ test: Filter.Test) -> Filter { .test(.init(slot: slot), test) }

private let created = Topic(model: 0, kind: .create)

private func matches(_ broker: inout Broker, _ change: Change) -> Set<Int> {
    var groups: [Int] = []
    broker.match(change, into: &groups)
    let set = Set(groups)
    #expect(set.count == groups.count, "a group was named twice")
    return set
}

@Suite struct BrokerTests {
    @Test func `a group gets the changes of its own kind and value only`() {
        var broker = Broker()
        let first = broker.addGroup(to: created, filter: test(1, .equal("t1")))
        let second = broker.addGroup(to: created, filter: test(1, .equal("t2")))
        let deletions = broker.addGroup(to: Topic(model: 0, kind: .delete), filter: .all)
        #expect(matches(&broker, change(1, thread: "t1")) == [first])
        #expect(matches(&broker, change(2, thread: "t2")) == [second])
        #expect(matches(&broker, change(3, thread: "t3")) == [])
        #expect(matches(&broker, change(4, kind: .delete)) == [deletions])
        #expect(matches(&broker, change(5, kind: .update)) == [])
    }

    @Test func `an explicit null asks for a null field`() {
        var broker = Broker()
        let group = broker.addGroup(to: created, filter: test(1, .equal(.null)))
        #expect(matches(&broker, change(1, thread: .null)) == [group])
        #expect(matches(&broker, change(2, thread: "t1")) == [])
    }

    @Test func `a whole double and an integer are the same value`() {
        var broker = Broker()
        let group = broker.addGroup(to: created, filter: test(3, .equal(.double(2))))
        #expect(matches(&broker, change(1, number: 2)) == [group])
        let other = broker.addGroup(to: created, filter: test(3, .equal(.int(7))))
        #expect(matches(&broker, change(2, number: .double(7))) == [other])
    }

    @Test func `a filter through relations looks at the related record`() {
        var broker = Broker()
        let filter = Filter.test(.init(relations: [0], slot: 1), .equal("t9"))
        let group = broker.addGroup(to: created, filter: filter)
        let parent = Record(model: 1, values: [.string("p"), "t9"])
        let related = [Change.Related(path: .init(model: 0, steps: [0]), record: parent)]
        #expect(matches(&broker, change(1, related: related)) == [group])
        #expect(matches(&broker, change(2)) == [])
    }

    @Test func `members leave from any place and the moved one is told`() {
        var broker = Broker()
        let group = broker.addGroup(to: created, filter: .all)
        let places = (0..<3).map { broker.join(group, member: UInt32($0), liveAfter: 0) }
        #expect(broker.leave(group, at: places[0]) == 2)
        #expect(broker.members(of: group).map(\.subscription) == [2, 1])
        #expect(broker.leave(group, at: 1) == nil)
        #expect(broker.leave(group, at: 0) == nil)
        broker.removeGroup(group)
        #expect(broker.groupCount == 0 && broker.memberCount == 0)
        #expect(matches(&broker, change(1)) == [])
        #expect(broker.addGroup(to: created, filter: .all) == group)
    }

    @Test(arguments: 0..<50)
    func `the index agrees with a linear scan`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var broker = Broker()
        var live: [Int: Filter] = [:]
        for step in 1...300 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let filter = randomFilter(depth: 3, &random)
                live[broker.addGroup(to: created, filter: filter)] = filter
            case 2:
                if let id = live.keys.sorted().randomElement(using: &random) {
                    broker.removeGroup(id)
                    live[id] = nil
                }
            default:
                let parent = Record(model: 1, values: [.string("p"), randomValue(&random)])
                let event = change(
                    UInt64(step), thread: randomValue(&random), author: randomValue(&random),
                    number: randomValue(&random),
                    related: [.init(path: .init(model: 0, steps: [0]), record: parent)])
                let expected = live.filter { $0.value.matches(event) }.keys
                #expect(matches(&broker, event) == Set(expected))
            }
        }
    }

    private func randomValue(_ random: inout SeededRandom) -> JSONValue {
        let values: [JSONValue] = [.null, "a", "b", 1, 2, .double(1), .double(1.5), true]
        return values[Int.random(in: 0..<values.count, using: &random)]
    }

    private func randomFilter(depth: Int, _ random: inout SeededRandom) -> Filter {
        let slot = Int.random(in: 0...3, using: &random)
        let path =
            slot == 0
            ? Filter.FieldPath(relations: [0], slot: 1) : Filter.FieldPath(slot: slot)
        func parts() -> [Filter] {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in
                randomFilter(depth: depth - 1, &random)
            }
        }
        switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
        case 0, 1: return .test(path, .equal(randomValue(&random)))
        case 2: return .test(path, .isIn([randomValue(&random), randomValue(&random)]))
        case 3: return .test(path, .notEqual(randomValue(&random)))
        case 4: return .test(path, .greaterOrEqual(randomValue(&random)))
        case 5: return .or(parts())
        case 6: return .not(randomFilter(depth: depth - 1, &random))
        default: return .and(parts())
        }
    }
}
