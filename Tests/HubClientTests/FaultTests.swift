import Bytes
import HubClient
import JSON
import Subprotocol
import Testing

struct FaultTests {
    @Test func `a silent server is asked, then given up and replaced`() throws {
        var bench = Bench.ready()
        _ = try bench.start("subscription {a}")
        bench.pass(seconds: 11.9)
        #expect(bench.server?.received.contains(.ping(payload: nil)) == false)
        bench.pass(seconds: 0.2)
        #expect(bench.server?.received.last == .ping(payload: nil))
        bench.pass(seconds: 11.8)
        #expect(bench.news.isEmpty)
        bench.pass(seconds: 0.2)
        #expect(bench.news.first == "disconnect")
        #expect(
            bench.news.contains("disconnected: the server gave no sign of life in time (retries)"))
        bench.pass(seconds: 1)
        #expect(bench.session.phase == .ready)
    }

    @Test func `any sign of life will do`() throws {
        var bench = Bench.ready()
        _ = try bench.start("subscription {a}")
        for round in 0..<20 {
            bench.pass(seconds: 10)
            if round % 2 == 0 {
                bench.server?.ping()
            } else {
                bench.server?.say(.next(id: "1", payload: json("{}")))
            }
            bench.run()
        }
        #expect(bench.session.phase == .ready)
        // Asked once and answered: the connection stays.
        bench.pass(seconds: 13)
        bench.server?.say(.pong(payload: nil))
        bench.run()
        bench.pass(seconds: 10)
        #expect(bench.session.phase == .ready)
        #expect(!bench.news.contains("disconnect"))
    }

    @Test func `a message that the protocol does not allow ends the session`() throws {
        for text in ["no", "[]", #"{"type":"ka"}"#, #"{"type":"next","id":"1"}"#] {
            var bench = Bench.ready()
            _ = try bench.start("subscription {a}")
            bench.server?.say(raw: text)
            bench.run()
            #expect(bench.news.prefix(2) == ["disconnect", "ended 1"])
            #expect(bench.news.last?.contains("invalid message") == true)
        }
    }

    @Test func `a masked frame from the server ends the session`() throws {
        var bench = Bench.ready()
        var frame: [UInt8] = [0x81, 0x82, 1, 2, 3, 4, 0x7a, 0x7f]
        frame.withUnsafeMutableBytes { buffer in
            bench.session.received(buffer, now: 0)
            var closing: [UInt8] = []
            while let event = bench.session.next() {
                bench.news.append(line(event))
                bench.session.takeOutput { closing += Array($0) }
            }
            bench.server?.receive(closing)
        }
        #expect(bench.server?.closeCodes == [1002])
        #expect(bench.news.last?.contains("masked") == true)
    }

    @Test func `the server's close is answered before the driver closes`() throws {
        var bench = Bench.ready()
        _ = try bench.start("subscription {a}")
        bench.server?.close(1012, "Service Restart")
        var bytes = bench.server?.output.array ?? []
        bytes.withUnsafeMutableBytes { buffer in
            bench.session.received(buffer, now: 0)
            guard case .disconnect? = bench.session.next() else {
                Issue.record("the close is not followed by a disconnect")
                return
            }
            var answer: [UInt8] = []
            bench.session.takeOutput { answer += Array($0) }
            bench.server?.receive(answer)
        }
        #expect(bench.server?.closeCodes == [1012])
    }

    @Test func `disconnect says goodbye and ends all operations`() throws {
        var bench = Bench.ready()
        _ = try bench.start("subscription {a}")
        let server = try #require(bench.server)
        bench.session.disconnect(now: 0)
        var bytes: [UInt8] = []
        bench.session.takeOutput { bytes += Array($0) }
        var witness = server
        witness.receive(bytes)
        #expect(witness.closeCodes == [1000])
        bench.run()
        #expect(
            bench.news == [
                "disconnect", "ended 1", "gave up: the connection was closed by this program",
            ])
        #expect(throws: ClientError.closedHere) { try bench.start("subscription {a}") }
        bench.session.connect(now: 0)
        bench.run()
        #expect(bench.session.phase == .ready)
    }

    // MARK: Every call in every phase

    /// A bench in each phase.
    static func benches() -> [(ClientSession.Phase, Bench)] {
        var connecting = Bench()
        connecting.session.connect(now: 0)
        _ = connecting.session.next()
        var handshaking = Bench()
        handshaking.newServer.answer = ""
        handshaking.session.connect(now: 0)
        handshaking.run()
        var initialising = Bench()
        initialising.newServer.acksAtOnce = false
        initialising.session.connect(now: 0)
        initialising.run()
        var waiting = Bench { $0.retriesWithoutOperations = true }
        waiting.isServerUp = false
        waiting.session.connect(now: 0)
        waiting.run()
        var ended = Bench.ready()
        ended.session.disconnect(now: 0)
        ended.run()
        return [
            (.idle, Bench()), (.connecting, connecting), (.handshaking, handshaking),
            (.initialising, initialising), (.ready, Bench.ready()), (.waiting, waiting),
            (.ended, ended),
        ].map { phase, bench in
            var bench = bench
            bench.news = []
            return (phase, bench)
        }
    }

    private func news(after call: (inout ClientSession) -> Void) -> [ClientSession.Phase: [String]]
    {
        var results: [ClientSession.Phase: [String]] = [:]
        for (phase, start) in Self.benches() {
            #expect(start.session.phase == phase)
            var session = start.session
            call(&session)
            var lines: [String] = []
            while let event = session.next() { lines.append(line(event)) }
            lines.append("\(session.phase)")
            results[phase] = lines
        }
        return results
    }

    @Test func `opened counts only while connecting`() {
        let results = news { $0.opened(now: 1) }
        for (phase, lines) in results {
            #expect(lines == [phase == .connecting ? "handshaking" : "\(phase)"])
        }
    }

    @Test func `closed counts only while there is a connection`() {
        let results = news { $0.closed("gone", now: 1) }
        for phase in [ClientSession.Phase.idle, .ended, .waiting] {
            #expect(results[phase] == ["\(phase)"])
        }
        for phase in [ClientSession.Phase.connecting, .handshaking, .initialising, .ready] {
            #expect(
                results[phase] == ["disconnected: the connection was lost: gone", "idle"])
        }
    }

    @Test func `bytes count only after the upgrade was asked for`() {
        var garbage = Array("garbage\r\n\r\n".utf8)
        garbage.withUnsafeMutableBytes { buffer in
            let results = news { $0.received(buffer, now: 1) }
            for phase in [ClientSession.Phase.idle, .connecting, .ended, .waiting] {
                #expect(results[phase] == ["\(phase)"])
            }
            for phase in [ClientSession.Phase.handshaking, .initialising, .ready] {
                #expect(results[phase]?.first == "disconnect")
                #expect(results[phase]?.last == "ended")
            }
        }
    }

    @Test func `connect opens one connection and never a second`() {
        let results = news { $0.connect(now: 1) }
        for phase in [ClientSession.Phase.idle, .ended, .waiting] {
            #expect(results[phase] == ["connect", "connecting"])
        }
        for phase in [ClientSession.Phase.connecting, .handshaking, .initialising, .ready] {
            #expect(results[phase] == ["\(phase)"])
        }
    }

    @Test func `an early wake does nothing`() {
        for (phase, lines) in news(after: { $0.woke(now: 0) }) where phase != .waiting {
            #expect(lines == ["\(phase)"])
        }
    }

    @Test func `disconnect ends every phase once`() {
        for (phase, lines) in news(after: { $0.disconnect(now: 1) }) {
            #expect(lines.last == "ended")
            let hasTransport = ![.idle, .waiting, .ended].contains(phase)
            #expect(lines.contains("disconnect") == hasTransport)
            #expect(lines.contains { $0.hasPrefix("gave up") } == (phase != .ended))
        }
    }
}
