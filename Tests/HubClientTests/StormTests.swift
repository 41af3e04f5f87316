import Bytes
import HubClient
import JSON
import Subprotocol
import Testing

/// Sessions under a network and a server that misbehave by the seed's will.
struct StormTests {
    /// What one run counts.
    private struct Tally {
        var sentMutations: [String: Int] = [:]
        var ended: [UInt64: Int] = [:]
    }

    @Test(arguments: 0..<30)
    func `whatever breaks, each operation ends at most once and no mutation is sent twice`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        var bench = Bench(seed: seed)
        var tally = Tally()
        var handles: [OperationHandle] = []
        for step in 0..<200 {
            bench.isServerUp = Int.random(in: 0..<4, using: &random) > 0
            bench.newServer.acksAtOnce = Int.random(in: 0..<5, using: &random) > 0
            try act(&bench, &random, &handles, step)
            bench.run()
            count(&bench, &tally)
            bench.pass(seconds: Double.random(in: 0...3, using: &random))
            count(&bench, &tally)
            #expect(bench.session.phase != .ended)
        }
        #expect(tally.sentMutations.values.allSatisfy { $0 == 1 })
        #expect(tally.ended.values.allSatisfy { $0 == 1 })
        // In fair weather at last, all that is not over is under way.
        bench.isServerUp = true
        bench.newServer.acksAtOnce = true
        if bench.session.operationCount > 0 {
            bench.pass(seconds: 60)
            #expect(bench.session.phase == .ready)
            #expect(Set(bench.subscribed).count >= bench.session.operationCount)
        }
        bench.session.disconnect(now: bench.now)
        bench.run()
        count(&bench, &tally)
        #expect(tally.ended.values.allSatisfy { $0 == 1 })
        #expect(bench.session.operationCount == 0)
    }

    private func act(
        _ bench: inout Bench, _ random: inout SeededRandom, _ handles: inout [OperationHandle],
        _ step: Int
    ) throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: handles.append(try bench.start("subscription {a}"))
        case 2, 3: handles.append(try bench.start(Text("mutation {m\(step)}"), .mutation))
        case 4: handles.append(try bench.start("query {q}", .query))
        case 5:
            if let handle = handles.randomElement(using: &random) {
                bench.session.stop(handle, now: bench.now)
            }
        case 6: bench.breakConnection()
        case 7: bench.server?.close([1001, 1012, 4408, nil].randomElement(using: &random) ?? nil)
        case 8: bench.session.closed(now: bench.now)
        case 9: bench.session.connect(now: bench.now)
        default: answer(&bench, &random)
        }
    }

    /// The server says something about an operation, running or not.
    private func answer(_ bench: inout Bench, _ random: inout SeededRandom) {
        let id = Text(String(Int.random(in: 1...40, using: &random)))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bench.server?.say(.next(id: id, payload: json(#"{"data":{}}"#)))
        case 1: bench.server?.say(.complete(id: id))
        case 2: bench.server?.say(.error(id: id, errors: json(#"[{"message":"no"}]"#)))
        default: bench.server?.ping()
        }
    }

    /// Counts the news since the last time, and the mutations the present server was sent.
    private func count(_ bench: inout Bench, _ tally: inout Tally) {
        for line in bench.news {
            let words = line.split(separator: " ")
            guard ["completed", "refused", "unknown", "ended"].contains(words[0]),
                words.count > 1, let number = UInt64(words[1])
            else { continue }
            tally.ended[number, default: 0] += 1
        }
        bench.news = []
        for start in bench.startsOfAllServers where start.contains("mutation") {
            tally.sentMutations[start, default: 0] += 1
        }
        bench.startsOfAllServers = []
    }
}
