import Bytes
import Hub
import JSON
import Models
import Records
import Testing

/// The checkers themselves: each must catch what it is there for.
@Suite struct CheckerTests {
    private static let layout = Run.schema.layout

    /// A journal with a creation of each of these messages, by id, token and author.
    private func journal(_ messages: [(id: Text, token: Text, author: Text)]) throws -> Journal {
        let journal = Journal(layout: Self.layout)
        let model = try #require(Self.layout.modelID(named: "Message"))
        for (index, message) in messages.enumerated() {
            let row: Row = [
                "id": .string(message.id), "body": .string(message.token),
                "author": .string(message.author),
            ]
            let values = Self.layout.models[model].fields.map { row[$0.name] ?? .null }
            journal.add([
                Change(
                    offset: UInt64(index + 1), kind: .create,
                    record: Record(model: model, values: values))
            ])
        }
        return journal
    }

    private static let adas = Interest(
        field: "onCreateMessage", model: "Message", kind: .create, query: ""
    ) { $0[0]?["author"] == "ada" }

    private func threeOfAda() throws -> Journal {
        try journal([
            ("m1", "b1", "ada"), ("m2", "b2", "alan"), ("m3", "b3", "ada"), ("m4", "b4", "ada"),
        ])
    }

    @Test func `events in order, each once, from any first one on are right`() throws {
        let journal = try threeOfAda()
        for first in [["m1", "m3", "m4"], ["m3", "m4"], ["m4"]] as [[Text]] {
            var check = DeliveryCheck(Self.adas, floor: 0)
            for id in first {
                let token = Text("b" + id.string.dropFirst())
                #expect(check.delivered(id: id, token: token, journal) == nil)
            }
            check.prove(0)
            #expect(check.missing(journal) == nil)
        }
    }

    @Test(arguments: [
        (["m3", "m1"], "came already or out of order"), (["m1", "m1"], "came already"),
        (["m1", "m4"], "leaves a gap"), (["m2"], "does not pass"), (["m9"], "never committed"),
    ])
    func `a wrong event is told`(ids: [String], fault: String) throws {
        let journal = try threeOfAda()
        var check = DeliveryCheck(Self.adas, floor: 0)
        var found: String?
        for id in ids {
            found = check.delivered(id: Text(id), token: Text("b" + id.dropFirst()), journal)
        }
        #expect(found?.contains(fault) == true, "\(found ?? "nothing")")
    }

    /// Events of Ada's with what each says was dropped before it, or replaced by it.
    private func fault(
        _ policy: SlowConsumerPolicy, _ events: [(id: Text, note: Int)], _ journal: Journal,
        proven: UInt64? = 0
    ) -> String? {
        var check = DeliveryCheck(Self.adas, policy, floor: 0)
        if let proven { check.prove(proven) }
        for (id, note) in events {
            let said = DeliveryCheck.Note(
                dropped: policy == .dropOldest ? note : 0, replaced: policy == .latest ? note : 0)
            let token = Text("b" + id.string.dropFirst())
            let fault = check.delivered(id: id, token: token, noting: said, journal)
            if let fault { return fault }
        }
        return check.missing(journal)
    }

    @Test func `what was dropped must be said to the number`() throws {
        let journal = try threeOfAda()
        #expect(fault(.dropOldest, [("m1", 0), ("m3", 0), ("m4", 0)], journal) == nil)
        #expect(fault(.dropOldest, [("m1", 0), ("m4", 1)], journal) == nil)
        #expect(fault(.dropOldest, [("m4", 2)], journal) == nil)
        let wrong: [([(Text, Int)], String)] = [
            ([("m1", 0), ("m4", 0)], "leaves a gap"),
            ([("m1", 0), ("m4", 2)], "nothing more has been committed"),
            ([("m1", 0), ("m3", 1)], "the next after offset 1 and 1 that are skipped is m4"),
            ([("m4", 1)], "came before the one at 1"), ([("m4", 3)], "there were only 2 others"),
            ([("m1", 0)], "was never told of m3"),
        ]
        for (events, text) in wrong {
            let told = fault(.dropOldest, events, journal)
            #expect(told?.contains(text) == true, "\(told ?? "nothing")")
        }
        #expect(fault(.dropOldest, [("m4", 1)], journal, proven: nil) == nil)
        for policy in [SlowConsumerPolicy.close, .latest] {
            var check = DeliveryCheck(Self.adas, policy, floor: 0)
            let told = check.delivered(id: "m4", token: "b4", noting: .init(dropped: 2), journal)
            #expect(told?.contains("its subscriber chose \(policy)") == true)
        }
    }

    @Test func `of each record the newest must come, whatever the order of the records`() throws {
        let journal = try journal([
            ("m1", "b1", "ada"), ("m2", "b2", "ada"), ("m1", "b3", "ada"), ("m1", "b4", "ada"),
        ])
        func fault(_ events: [(id: Text, token: Text, replaced: Int)]) -> String? {
            var check = DeliveryCheck(Self.adas, .latest, floor: 0)
            check.prove(0)
            for (id, token, replaced) in events {
                let said = DeliveryCheck.Note(replaced: replaced)
                let fault = check.delivered(id: id, token: token, noting: said, journal)
                if let fault { return fault }
            }
            return check.missing(journal)
        }
        #expect(fault([("m1", "b4", 2), ("m2", "b2", 0)]) == nil)
        #expect(fault([("m1", "b1", 0), ("m2", "b2", 0), ("m1", "b4", 1)]) == nil)
        let wrong: [([(Text, Text, Int)], String)] = [
            ([("m1", "b4", 2)], "was never told of m2"),
            ([("m1", "b3", 1), ("m2", "b2", 0)], "was never told of m1 (b4)"),
            ([("m1", "b4", 1)], "came before the one at 1"),
            ([("m1", "b4", 3)], "there were only 2 others"),
            ([("m1", "b1", 0), ("m1", "b4", 0)], "leaves a gap"),
            ([("m1", "b4", 2), ("m1", "b3", 0)], "came already or out of order"),
        ]
        for (events, text) in wrong {
            let told = fault(events)
            #expect(told?.contains(text) == true, "\(told ?? "nothing")")
        }
    }

    @Test func `an event from before the subscription is told`() throws {
        var check = DeliveryCheck(Self.adas, floor: 1)
        let fault = check.delivered(id: "m1", token: "b1", try threeOfAda())
        #expect(fault?.contains("was committed before the subscription") == true)
    }

    @Test func `what is missing after the proof is told, at the next event and at the end`() throws
    {
        let journal = try threeOfAda()
        var check = DeliveryCheck(Self.adas, floor: 0)
        #expect(check.missing(journal) == nil)
        check.prove(1)
        #expect(check.missing(journal)?.contains("m3 (b3) at 3") == true)
        #expect(check.delivered(id: "m4", token: "b4", journal)?.contains("at 3") == true)
        #expect(check.delivered(id: "m3", token: "b3", journal) == nil)
        #expect(check.missing(journal)?.contains("m4 (b4) at 4") == true)
    }

    @Test func `what is missing behind the end of a promise is not told`() throws {
        let journal = try threeOfAda()
        var check = DeliveryCheck(Self.adas, floor: 0)
        check.prove(0)
        #expect(check.delivered(id: "m1", token: "b1", journal) == nil)
        #expect(check.missing(journal, upTo: 2) == nil)
        #expect(check.missing(journal, upTo: 3)?.contains("m3 (b3) at 3") == true)
    }

    @Test func `a journal tells of a gap in the offsets and of what a record was`() throws {
        let journal = try threeOfAda()
        #expect(journal.fault == nil)
        #expect(journal.tokens(of: "Message", "m3", since: 0) == [nil, "b3"])
        #expect(journal.tokens(of: "Message", "m3", since: 3) == ["b3"])
        #expect(journal.tokens(of: "Message", "m9", since: 0) == [nil])
        journal.add([Change(offset: 9, kind: .create, record: try #require(record()))])
        #expect(journal.fault == "offset 9 was committed after 4")
    }

    private func record() -> Record? {
        Self.layout.modelID(named: "Reply").map {
            Record(
                model: $0, values: Self.layout.models[$0].fields.map { _ in JSONValue.null })
        }
    }

    private func attempt(_ id: Text, _ token: Text?, _ outcome: Attempt.Outcome) -> Attempt {
        let attempt = Attempt(
            "createMessage", "Message", .create, id: id, token: token, input: [:])
        attempt.outcome = outcome
        return attempt
    }

    @Test func `mutations and the store must agree`() throws {
        let commits = try journal([("m1", "b1", "ada")]).commits
        func fault(_ attempts: [Attempt]) -> String? { MutationCheck.fault(attempts, commits) }
        #expect(fault([attempt("m1", "b1", .done(token: "b1"))]) == nil)
        #expect(fault([attempt("m1", "b1", .unknown), attempt("m2", "b2", .refused)]) == nil)
        let wrong: [([Attempt], String)] = [
            ([attempt("m1", "b1", .refused)], "was refused and carried out"),
            ([attempt("m2", "b2", .done(token: "b2"))], "was acknowledged and is lost"),
            ([attempt("m1", "b1", .none)], "never ended"), ([], "nobody asked for it"),
            (
                [
                    attempt("m1", "b1", .done(token: "b1")),
                    attempt("m1", "b1", .done(token: "b1")),
                ], "acknowledged twice"
            ),
        ]
        for (attempts, text) in wrong { #expect(fault(attempts)?.contains(text) == true) }
        #expect(
            MutationCheck.fault([attempt("m1", "b1", .unknown)], commits + commits)?
                .contains("carried out twice") == true)
    }

    @Test func `an operation that does not end, or too late, or twice, is told`() {
        var check = EndCheck(longest: .seconds(10))
        let first = check.began("a question", at: 0)
        let second = check.began("a mutation", at: 0)
        #expect(check.overdue(at: .seconds(10)) == nil)
        #expect(check.ended(first, at: .seconds(10)) == nil)
        #expect(check.ended(first, at: .seconds(10)) != nil)
        #expect(check.overdue(at: .seconds(11)) == "a mutation has not ended after 11 s")
        #expect(check.ended(second, at: .seconds(12)) == "a mutation has not ended after 12 s")
        #expect(check.overdue(at: .seconds(12)) == nil)
    }

    @Test func `a limit that is passed is told, unless the connection was closed for it`() {
        var limits = Limits()
        limits.outboxBytesMax = 100
        limits.operationsPerConnectionMax = 1
        limits.subscriptionsPerConnectionMax = 1
        var check = LimitCheck(limits: limits)
        check.sent(1, 100)
        #expect(check.turnEnded(tickets: 0, connections: 1, parkedBytes: 0) { _ in true } == nil)
        check.sent(1, 101)
        #expect(check.turnEnded(tickets: 0, connections: 1, parkedBytes: 0) { _ in false } == nil)
        check.sent(1, 101)
        #expect(check.turnEnded(tickets: 0, connections: 1, parkedBytes: 0) { _ in true } != nil)
        #expect(
            check.turnEnded(tickets: 1_000, connections: 1, parkedBytes: 0) { _ in true } != nil)
    }

    @Test func `what a shard holds without peers is told`() {
        #expect(EmptinessCheck.fault(.init()) == nil)
        #expect(EmptinessCheck.fault(.init(groups: 1))?.contains("1 groups") == true)
        #expect(
            EmptinessCheck.fault(.init(connections: 1, subscriptions: 2, tickets: 3))
                == "1 connections, 2 subscriptions, 3 questions to the store are left after all "
                + "peers")
    }

    @Test(arguments: Sabotage.allCases)
    func `a violation planted into a whole run is caught`(sabotage: Sabotage) {
        var plan = Plan()
        plan.clientCount = 4
        plan.sabotage = sabotage
        if sabotage == .hidesNotes {
            plan.faults = [.stalledReaders]
            plan.slowConsumerPolicy = .dropOldest
            plan.limits.parkingBytesMin = 0
            plan.limits.parkedBytesMax = 1_500
        }
        if sabotage == .hidesBacklog {
            plan.faults = [.slowReaders]
            plan.limits.outboxBytesMax = 100
        }
        if sabotage == .hidesCommits { plan.faults = [.drains, .lateShards] }
        #expect(Run(seed: 5, plan).perform() != nil)
    }
}
