import Bytes
import HTTP1
import HubClient
import JSON
import Subprotocol
import TestKit
import Testing

struct ConnectingTests {
    @Test func `a session upgrades, initialises and is ready`() {
        var bench = Bench { $0.setAPIKey("secret") }
        bench.session.connect(now: 0)
        bench.run()
        #expect(bench.news == ["connect", "ready"])
        #expect(bench.session.phase == .ready)
        let request = bench.server?.request
        #expect(request?.target == "/graphql")
        #expect(request?.host == "hub.example:4000")
        #expect(request?.value(of: "x-api-key") == "secret")
        #expect(request?.value(of: "Sec-WebSocket-Protocol") == "graphql-transport-ws")
        #expect(
            request?.value(of: "Sec-WebSocket-Extensions") == """
                permessage-deflate; server_no_context_takeover; client_no_context_takeover; \
                client_max_window_bits
                """)
        #expect(bench.server?.received == [.connectionInit(payload: ["x-api-key": "secret"])])
    }

    @Test func `answer, acknowledgement and results cut anywhere give the same events`() throws {
        // A first run gives the server's bytes; the same seed makes the same keys.
        var recorded = Bench(seed: 9)
        _ = try recorded.session.start(
            OperationRequest(query: "subscription {a}"), kind: .subscription, now: 0)
        recorded.run()
        recorded.server?.ping()
        recorded.server?.say(.ping(payload: nil))
        recorded.server?.say(.next(id: "1", payload: json(#"{"data":{"a":"é"}}"#)))
        recorded.server?.say(.complete(id: "1"))
        recorded.run()
        let results = eventsForAllCuts(of: recorded.transcript, randomCuts: 40) { pieces in
            var bench = Bench(seed: 9)
            bench.isServerUp = true
            _ = try? bench.session.start(
                OperationRequest(query: "subscription {a}"), kind: .subscription, now: 0)
            bench.drain()
            for var piece in pieces {
                piece.withUnsafeMutableBytes { buffer in
                    bench.session.received(buffer, now: 0)
                    bench.drain()
                }
            }
            return bench.news
        }
        for result in results {
            #expect(
                result == ["connect", "ready", #"next 1 {"data":{"a":"é"}}"#, "completed 1"])
        }
    }

    static let accepted = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"

    static let wrongAnswers: [(String, String)] = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "status 200"),
        ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "status 404"),
        ("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", "status 401"),
        ("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\r\n", "not valid"),
        (accepted + "\r\n", "not valid"),
        (accepted + "Connection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n", "not valid"),
        ("SSH-2.0-server\r\n\r\n", "not valid"),
    ]

    @Test(arguments: wrongAnswers)
    func `a wrong answer to the upgrade ends the session`(answer: String, says: String) throws {
        var bench = Bench()
        bench.newServer.answer = answer
        _ = try bench.start("subscription {a}")
        #expect(bench.news.prefix(3) == ["connect", "disconnect", "ended 1"])
        let last = try #require(bench.news.last)
        #expect(last.hasPrefix("gave up: ") && last.contains(says))
        #expect(bench.session.phase == .ended)
    }

    @Test(arguments: [500, 502, 503, 429, 408])
    func `a server that is not well is tried again`(status: Int) throws {
        var bench = Bench()
        bench.newServer.answer = "HTTP/1.1 \(status) Later\r\nContent-Length: 0\r\n\r\n"
        _ = try bench.start("subscription {a}")
        #expect(bench.session.phase == .waiting)
        bench.newServer.answer = nil
        bench.pass(seconds: 1)
        #expect(bench.session.phase == .ready)
        #expect(bench.subscribed == ["1 subscription {a}"])
    }

    @Test func `each step to readiness has its time limit`() throws {
        // No connection at all: the driver never tells `opened`.
        var unopened = Bench { $0.retriesWithoutOperations = true }
        unopened.session.connect(now: 0)
        guard case .connect? = unopened.session.next() else {
            Issue.record("no connection is asked for")
            return
        }
        #expect(unopened.session.wakeAt == 10_000_000_000)
        unopened.pass(seconds: 9.9)
        #expect(unopened.news.isEmpty)
        unopened.pass(seconds: 0.2)
        #expect(unopened.news.first == "disconnect")

        // A server that does not answer the upgrade.
        var mute = Bench()
        mute.newServer.answer = ""
        _ = try mute.start("subscription {a}")
        mute.pass(seconds: 10)
        #expect(mute.news[1...].first == "disconnect")
        #expect(mute.news.contains { $0.contains("did not answer the upgrade") })

        // A server that does not acknowledge.
        var unacknowledged = Bench()
        unacknowledged.newServer.acksAtOnce = false
        _ = try unacknowledged.start("subscription {a}")
        #expect(unacknowledged.session.phase == .initialising)
        unacknowledged.pass(seconds: 9.9)
        #expect(unacknowledged.news == ["connect"])
        let server = try #require(unacknowledged.server)
        unacknowledged.now += 200_000_000
        unacknowledged.session.woke(now: unacknowledged.now)
        var closing: [UInt8] = []
        unacknowledged.session.takeOutput { closing += Array($0) }
        var witness = server
        witness.receive(closing)
        #expect(witness.closeCodes == [4504])
        unacknowledged.run()
        #expect(unacknowledged.news.contains { $0.contains("did not acknowledge") })
    }

    @Test func `operations before readiness go out in order, and none before the ack`() throws {
        var bench = Bench()
        bench.newServer.acksAtOnce = false
        for query in ["query {a}", "mutation {b}", "subscription {c}"] as [Text] {
            _ = try bench.start(query, OperationKind(of: query))
        }
        #expect(bench.connectTimes.count == 1)
        #expect(bench.subscribed.isEmpty)
        bench.server?.say(.connectionAck(payload: ["heliograph": [:]]))
        bench.run()
        #expect(bench.subscribed == ["1 query {a}", "2 mutation {b}", "3 subscription {c}"])
    }

    @Test func `a ping before the acknowledgement is answered with its payload`() {
        var bench = Bench()
        bench.newServer.acksAtOnce = false
        bench.session.connect(now: 0)
        bench.run()
        bench.server?.say(.ping(payload: ["a": 1]))
        bench.server?.say(.ping(payload: nil))
        bench.run()
        #expect(
            bench.server?.received.dropFirst() == [.pong(payload: ["a": 1]), .pong(payload: nil)])
    }

    @Test func `random bytes in place of a server's never crash a session`() {
        var random = SeededRandom(seed: 5)
        for round in 0..<300 {
            var bench = round % 2 == 0 ? Bench() : Bench.ready()
            if round % 2 == 0 {
                bench.session.connect(now: 0)
                bench.drain()
            }
            for _ in 0..<8 {
                var bytes = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                if round % 3 == 0 { bytes[0] = 0x81 }
                if round % 3 == 0, bytes.count > 1 { bytes[1] = UInt8(min(bytes.count - 2, 125)) }
                bytes.withUnsafeMutableBytes { buffer in
                    bench.session.received(buffer, now: 0)
                    bench.drain()
                }
            }
        }
    }
}
