import Bytes
import HubClient
import JSON
import Subprotocol
import Testing

struct OperationTests {
    @Test func `results and ends reach their operation`() throws {
        var bench = Bench.ready()
        let first = try bench.start("subscription {a}")
        let second = try bench.start("query {b}", .query)
        #expect(first.number == 1 && second.number == 2 && first < second)
        bench.server?.say(.next(id: "1", payload: json(#"{"data":1}"#)))
        bench.server?.say(.next(id: "2", payload: json(#"{"data":2}"#)))
        bench.server?.say(.complete(id: "2"))
        bench.server?.say(.error(id: "1", errors: json(#"[{"message":"m"}]"#)))
        bench.run()
        #expect(
            bench.news == [
                #"next 1 {"data":1}"#, #"next 2 {"data":2}"#, "completed 2",
                #"refused 1 [{"message":"m"}]"#,
            ])
        #expect(bench.session.operationCount == 0)
    }

    @Test func `a refusal of one subscription leaves the others`() throws {
        var bench = Bench.ready()
        for _ in 0..<3 { _ = try bench.start("subscription {a}") }
        bench.server?.say(
            .error(id: "3", errors: json(#"[{"message":"Max number of 2 subscriptions reached"}]"#))
        )
        bench.server?.say(.next(id: "1", payload: json("{}")))
        bench.run()
        #expect(bench.news.count == 2 && bench.news[1] == "next 1 {}")
        bench.breakConnection()
        bench.pass(seconds: 1)
        #expect(bench.subscribed == ["1 subscription {a}", "2 subscription {a}"])
    }

    @Test func `after stop nothing is told and the server is asked to complete`() throws {
        var bench = Bench.ready()
        let handle = try bench.start("subscription {a}")
        bench.session.stop(handle, now: bench.now)
        bench.run()
        #expect(bench.server?.received.last == .complete(id: "1"))
        // These crossed our complete.
        bench.server?.say(.next(id: "1", payload: json("{}")))
        bench.server?.say(.complete(id: "1"))
        bench.server?.say(.error(id: "1", errors: json(#"[{"message":""}]"#)))
        for id in ["", "7", "x", "99999999999999999999999", "01a"] as [Text] where !id.isEmpty {
            bench.server?.say(.next(id: id, payload: json("{}")))
            bench.server?.say(.complete(id: id))
        }
        bench.run()
        #expect(bench.news.isEmpty)
        #expect(bench.session.phase == .ready)
        bench.session.stop(handle, now: bench.now)
        bench.run()
        #expect(bench.server?.received.filter { $0 == .complete(id: "1") }.count == 1)
    }

    @Test func `stopped before it went out, an operation never does`() throws {
        var bench = Bench()
        bench.newServer.acksAtOnce = false
        let handle = try bench.start("subscription {a}")
        bench.session.stop(handle, now: 0)
        bench.server?.say(.connectionAck(payload: nil))
        bench.run()
        #expect(bench.server?.received.count == 1)
    }

    @Test func `one operation more than the limit is refused`() throws {
        var bench = Bench.ready { $0.operationsMax = 2 }
        _ = try bench.start("subscription {a}")
        let second = try bench.start("subscription {a}")
        #expect(throws: ClientError.tooManyOperations(limit: 2)) {
            try bench.start("subscription {a}")
        }
        bench.session.stop(second, now: 0)
        _ = try bench.start("subscription {a}")
    }

    @Test func `pongs and messages are masked, each with a new key`() {
        var bench = Bench.ready()
        var frames: [[UInt8]] = []
        for _ in 0..<2 {
            bench.server?.ping()
            var bytes = bench.server?.output.array ?? []
            bench.server?.output.removeAll()
            bytes.withUnsafeMutableBytes { buffer in
                bench.session.received(buffer, now: 0)
                while bench.session.next() != nil {}
            }
            bench.session.takeOutput { frames.append(Array($0)) }
        }
        #expect(frames.count == 2 && frames.allSatisfy { $0.count == 8 && $0[1] == 0x82 })
        #expect(frames[0][2..<6] != frames[1][2..<6])
    }

    @Test func `verbs between two events are allowed`() throws {
        var bench = Bench.ready()
        _ = try bench.start("subscription {a}")
        bench.server?.say(.next(id: "1", payload: json("{}")))
        bench.server?.say(.next(id: "1", payload: json("{}")))
        var bytes = bench.server?.output.array ?? []
        bench.server?.output.removeAll()
        var count = 0
        try bytes.withUnsafeMutableBytes { buffer in
            bench.session.received(buffer, now: 0)
            while let event = bench.session.next() {
                guard case .next(let handle, _) = event else { continue }
                count += 1
                bench.session.stop(handle, now: 0)
                _ = try bench.session.start(
                    OperationRequest(query: "{b}"), kind: .query, now: 0)
            }
        }
        bench.run()
        #expect(count == 1)
        #expect(bench.subscribed == ["1 subscription {a}", "2 {b}"])
    }
}
