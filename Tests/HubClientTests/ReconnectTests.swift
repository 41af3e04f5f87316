import Bytes
import HubClient
import JSON
import Subprotocol
import Testing

struct ReconnectTests {
    @Test func `after a lost connection subscriptions and queries are sent again, mutations not`()
        throws
    {
        var bench = Bench.ready()
        _ = try bench.start("subscription {a}")
        _ = try bench.start("mutation {b}", .mutation)
        _ = try bench.start("query {c}", .query)
        bench.breakConnection()
        #expect(bench.news == ["unknown 2", "disconnected: the connection was lost (retries)"])
        bench.pass(seconds: 1)
        #expect(bench.news.suffix(2) == ["connect", "ready"])
        #expect(bench.subscribed == ["1 subscription {a}", "3 query {c}"])
    }

    @Test func `a mutation that never went out is kept`() throws {
        var bench = Bench()
        bench.isServerUp = false
        _ = try bench.start("mutation {b}", .mutation)
        bench.pass(seconds: 3)
        #expect(!bench.news.contains("unknown 1"))
        bench.isServerUp = true
        bench.pass(seconds: 20)
        #expect(bench.subscribed == ["1 mutation {b}"])
    }

    @Test func `extensions set meanwhile are sent with the next start`() throws {
        var bench = Bench.ready()
        let handle = try bench.start("subscription {a}")
        bench.session.setExtensions(["heliograph": ["offset": 7]], of: handle)
        bench.breakConnection()
        bench.pass(seconds: 1)
        guard case .subscribe(_, let request)? = bench.server?.received.last else {
            Issue.record("the subscription was not sent again")
            return
        }
        #expect(request.extensions == ["heliograph": ["offset": 7]])
    }

    @Test func `the waits grow with jitter up to the cap and begin anew after an ack`() throws {
        var bench = Bench(seed: 3)
        bench.isServerUp = false
        _ = try bench.start("subscription {a}")
        bench.pass(seconds: 120)
        let gaps = zip(bench.connectTimes.dropFirst(), bench.connectTimes).map { $0 - $1 }
        #expect(gaps.count > 24 && gaps.count < 90)
        for (index, gap) in gaps.enumerated() {
            #expect(gap <= BackOff().bound(attempt: index) && gap <= 5_000_000_000)
        }
        #expect(Set(gaps).count == gaps.count)
        #expect((gaps.max() ?? 0) > 4_000_000_000)
        bench.isServerUp = true
        bench.pass(seconds: 11)
        #expect(bench.session.phase == .ready)
        bench.breakConnection()
        #expect((bench.session.wakeAt ?? .max) - bench.now <= 1_000_000_000)
    }

    @Test func `two hundred clients do not come back at the same moments`() throws {
        var times: [Int64] = []
        for seed in 0..<200 {
            var bench = Bench(seed: UInt64(seed))
            bench.isServerUp = false
            _ = try bench.start("subscription {a}")
            bench.pass(seconds: 60)
            times += bench.connectTimes.dropFirst()
        }
        #expect(Set(times).count > times.count * 99 / 100)
        // Once the waits have reached their cap, no second sees more than a share of them.
        let late = Dictionary(grouping: times.filter { $0 > 20_000_000_000 }) { $0 / 1_000_000_000 }
        #expect((late.values.map(\.count).max() ?? 0) < 120)
    }

    @Test func `a server that asks for a later return gets a quick attempt, then none before`()
        throws
    {
        for seed in 0..<20 {
            var bench = Bench(seed: UInt64(seed))
            _ = try bench.start("subscription {a}")
            bench.isServerUp = false
            bench.server?.close(1012, "Service Restart; retry after 20000 ms")
            bench.run()
            bench.pass(seconds: 22)
            let times = bench.connectTimes.dropFirst().map { Double($0) / 1e9 }
            #expect(times[0] <= 1.0)
            #expect(times[1] >= 20.0 && times[1] <= 20.25)
            // From there the waits begin anew.
            #expect(times.count > 2 && times[2] - times[1] <= 1.0)
            bench.isServerUp = true
            bench.pass(seconds: 5)
            #expect(bench.session.phase == .ready)
            // What was asked for once is not asked for again.
            bench.isServerUp = false
            bench.breakConnection()
            let count = bench.connectTimes.count
            bench.pass(seconds: 6)
            #expect(bench.connectTimes.count >= count + 2)
        }
    }

    @Test func `a hint that lies before the wait, or far off, does no harm`() throws {
        var bench = Bench()
        _ = try bench.start("subscription {a}")
        bench.isServerUp = false
        bench.server?.close(1012, "Service Restart; retry after 1 ms")
        bench.run()
        bench.pass(seconds: 10)
        #expect(bench.connectTimes.count > 3)
        bench.isServerUp = true
        bench.pass(seconds: 5)
        bench.isServerUp = false
        bench.server?.close(1012, "Service Restart; retry after 9000000000000000 ms")
        bench.run()
        bench.pass(seconds: 2)
        let count = bench.connectTimes.count
        bench.pass(seconds: 60)
        #expect(bench.connectTimes.count > count)
    }

    @Test(arguments: ["Retry-After: 20", "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT", "X: y"])
    func `a refusal of the upgrade can ask for a later return too`(field: String) throws {
        var bench = Bench()
        bench.newServer.answer =
            "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\(field)\r\n\r\n"
        _ = try bench.start("subscription {a}")
        bench.pass(seconds: 19.9)
        let isAsked = field.hasSuffix("20")
        // Each further refusal asks anew.
        #expect(isAsked ? bench.connectTimes.count == 2 : bench.connectTimes.count > 5)
    }

    /// How many of a crowd come to a server in each tenth of a second after it is back, and how
    /// many knock in vain before. `leaves`: when each one is sent away, with which reason.
    private func crowd(
        _ count: Int, backAt: Double, leaves: (Int) -> (at: Double, reason: Text)
    ) throws -> (arrivals: [Int], knocks: Int) {
        var arrivals: [Int] = []
        var knocks = 0
        for number in 0..<count {
            var bench = Bench(seed: UInt64(number))
            _ = try bench.start("subscription {a}")
            let (time, reason) = leaves(number)
            bench.pass(seconds: time)
            bench.isServerUp = false
            if reason.isEmpty {
                bench.breakConnection()
            } else {
                bench.server?.close(1012, reason)
                bench.run()
            }
            bench.pass(seconds: backAt - time)
            knocks += bench.connectTimes.count - 1
            bench.isServerUp = true
            bench.pass(seconds: 15)
            #expect(bench.session.phase == .ready)
            let after = Double((bench.connectTimes.last ?? .max) - Int64(backAt * 1e9)) / 1e9
            while arrivals.count <= Int(after * 10) { arrivals.append(0) }
            arrivals[Int(after * 10)] += 1
        }
        return (arrivals, knocks)
    }

    @Test func `a crowd whose server died comes back within seconds, spread over them`() throws {
        for backAt in [0.3, 3] {
            let (arrivals, knocks) = try crowd(300, backAt: backAt) { _ in (0, "") }
            // Within the longest wait, and never more than a sixth in a tenth of a second.
            #expect(arrivals.count <= 51)
            #expect((arrivals.max() ?? 0) < 300 / 6)
            #expect(knocks < 300 * 4)
        }
    }

    @Test func `a crowd that a server sent away in turn comes back in turn`() throws {
        // 300 over 3 s, asked to come again at 150 a second from then on.
        let (arrivals, knocks) = try crowd(300, backAt: 3.2) { number in
            let time = 3 * Double(number) / 300
            let wait = Int((3 - time) * 1000) + number * 7
            return (time, Text("Service Restart; retry after \(wait) ms"))
        }
        #expect(arrivals.count <= 40)
        #expect((arrivals.max() ?? 0) < 300 / 8)
        // One quick attempt each, and hardly a second.
        #expect(knocks < 300 * 3 / 2)
    }

    @Test func `when the last operation ends during the retries, they end too`() throws {
        var bench = Bench()
        bench.isServerUp = false
        let handles = [try bench.start("subscription {a}"), try bench.start("subscription {b}")]
        bench.pass(seconds: 2)
        for handle in handles { bench.session.stop(handle, now: bench.now) }
        let attempts = bench.connectTimes.count
        #expect(bench.session.phase == .idle)
        #expect(bench.session.wakeAt == nil)
        bench.pass(seconds: 30)
        #expect(bench.connectTimes.count == attempts)
        // The next operation connects at once.
        bench.isServerUp = true
        _ = try bench.start("subscription {c}")
        #expect(bench.session.phase == .ready)
        #expect(bench.subscribed == ["3 subscription {c}"])
    }

    @Test func `a connection without operations is not won back unless asked for`() {
        var lazy = Bench.ready()
        lazy.breakConnection()
        #expect(lazy.news == ["disconnected: the connection was lost"])
        #expect(lazy.session.phase == .idle)
        var eager = Bench.ready { $0.retriesWithoutOperations = true }
        eager.breakConnection()
        eager.pass(seconds: 1)
        #expect(eager.session.phase == .ready)
    }

    @Test func `after so many attempts the session gives up`() throws {
        var bench = Bench { $0.attemptsMax = 3 }
        bench.isServerUp = false
        _ = try bench.start("subscription {a}")
        bench.pass(seconds: 60)
        #expect(bench.connectTimes.count == 3)
        #expect(bench.news.suffix(2) == ["ended 1", "gave up: the connection was lost: refused"])
        // A connection that once was ready starts the count anew.
        var other = Bench.ready {
            $0.attemptsMax = 1
            $0.retriesWithoutOperations = true
        }
        other.breakConnection()
        other.pass(seconds: 1)
        #expect(other.session.phase == .ready)
    }

    static let survivable: [UInt16?] = [1000, 1001, 1012, 1013, 1014, nil, 4408, 4499, 4504, 4600]
    static let fatal: [UInt16] = [
        1002, 1003, 1007, 1008, 1009, 1010, 1011, 4004, 4005, 4400, 4401, 4403, 4406, 4409, 4429,
        4500,
    ]

    @Test(arguments: survivable)
    func `a close worth another attempt is followed by one`(code: UInt16?) throws {
        var bench = Bench.ready()
        _ = try bench.start("subscription {a}")
        bench.server?.close(code, code == nil ? "" : "r")
        bench.run()
        #expect(bench.news.first == "disconnect")
        #expect(bench.session.phase == .waiting)
        bench.pass(seconds: 1)
        #expect(bench.subscribed == ["1 subscription {a}"])
    }

    @Test(arguments: fatal)
    func `a final close ends the session and all operations`(code: UInt16) throws {
        var bench = Bench.ready()
        _ = try bench.start("subscription {a}")
        _ = try bench.start("mutation {b}", .mutation)
        bench.server?.close(code, "because")
        bench.run()
        #expect(
            bench.news == [
                "disconnect", "ended 1", "unknown 2",
                "gave up: the server closed the connection with code \(code): because",
            ])
        bench.pass(seconds: 60)
        #expect(bench.connectTimes.count == 1)
    }

    @Test func `a refusal of the credentials is retried by owners that renew them`() {
        var bench = Bench {
            $0.retriesForbidden = true
            $0.retriesWithoutOperations = true
        }
        bench.newServer.acksAtOnce = false
        bench.session.connect(now: 0)
        bench.run()
        bench.server?.close(4403, "Forbidden")
        bench.run()
        #expect(bench.session.phase == .waiting)
        bench.session.configuration.setAPIKey("new")
        bench.newServer.acksAtOnce = true
        bench.pass(seconds: 1)
        #expect(bench.session.phase == .ready)
        #expect(bench.server?.received == [.connectionInit(payload: ["x-api-key": "new"])])
    }

    @Test func `half a frame and then the end is a lost connection`() throws {
        var bench = Bench.ready()
        _ = try bench.start("subscription {a}")
        var half: [UInt8] = [0x81, 0x20, 0x7b]
        half.withUnsafeMutableBytes { buffer in
            bench.session.received(buffer, now: 0)
            bench.drain()
        }
        bench.breakConnection()
        #expect(bench.session.phase == .waiting)
        bench.pass(seconds: 1)
        #expect(bench.session.phase == .ready)
    }
}
