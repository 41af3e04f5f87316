import Bytes
import Dispatch
import Glibc
import Testing

@testable import Loop

@Suite struct AcceptTests {
    @Test(arguments: [
        ("127.0.0.1", UInt16(0), "is in use"),
        ("not an address", 8080, "host `not an address` is not an IP address"),
        ("localhost", 8080, "host `localhost` is not an IP address"),
        ("203.0.113.7", 8080, "address 203.0.113.7 belongs to no interface"),
    ])
    func `an address that cannot be had is told in a sentence`(
        host: String, port: UInt16, words: String
    ) throws {
        let loop = try TestLoop()
        let port = port == 0 ? loop.port : port
        do {
            _ = try EventLoop.start(name: "second") { loop throws(LoopError) in
                try loop.listen(host: host, port: port)
                return TestHandler(loop, EventLog(), .init())
            }
            Issue.record("\(host) was listened on")
        } catch {
            #expect("\(error)".contains(words))
        }
    }

    @Test func `one loop accepts and others serve`() throws {
        let servers = [try TestLoop(.echo), try TestLoop(.echo)]
        let posters = servers.map(\.poster)
        let front = EventLog()
        let port = Guarded<UInt16>(0)
        let acceptor = try EventLoop.start(name: "front") { loop throws(LoopError) in
            var turn = 0
            let chosen = try loop.listen(host: "127.0.0.1", port: 0) { socket in
                posters[turn % 2].post { $0.loop.adopt(socket) }
                turn += 1
            }
            port.withLock { $0 = chosen }
            return TestHandler(loop, front, .init())
        }
        let peers = (0..<10).map { _ in TestPeer(port: port.withLock { $0 }) }
        for (index, peer) in peers.enumerated() {
            peer.send("peer \(index)")
            #expect(peer.receiveText(6) == "peer \(index)")
        }
        for server in servers { #expect(server.log.connections(5).count == 5) }
        #expect(front.all.isEmpty)
        acceptor.stop()
    }

    @Test func `a socket that no loop adopts is closed`() throws {
        let served = try TestLoop()
        let port = Guarded<UInt16>(0)
        let log = EventLog()
        let acceptor = try EventLoop.start(name: "front") { loop throws(LoopError) in
            let chosen = try loop.listen(host: "127.0.0.1", port: 0) { _ in }
            port.withLock { $0 = chosen }
            return TestHandler(loop, log, .init())
        }
        let peer = TestPeer(port: port.withLock { $0 })
        #expect(peer.receiveAll().ending == .finished)
        acceptor.stop()
        #expect(served.ask { $0.connectionCount } == 0)
    }

    @Test func `a companion stays as long as its connection`() throws {
        let served = try TestLoop(.echo)
        let poster = served.poster
        let port = Guarded<UInt16>(0)
        let log = EventLog()
        let left = Flag()
        let acceptor = try EventLoop.start(name: "front") { loop throws(LoopError) in
            let chosen = try loop.listen(host: "127.0.0.1", port: 0) { socket in
                let companion = Companion(left)
                poster.post { $0.loop.adopt(socket, with: companion) }
            }
            port.withLock { $0 = chosen }
            return TestHandler(loop, log, .init())
        }
        let peer = TestPeer(port: port.withLock { $0 })
        peer.send("a")
        #expect(peer.receiveText(1) == "a")
        let connection = try #require(served.log.firstConnection())
        #expect(served.ask { $0.companion(of: connection) is Companion } == true)
        #expect(!left.load())
        peer.close()
        #expect(served.log.wait(for: .closed(connection, .closedByPeer)))
        #expect(served.ask { $0.companion(of: connection) == nil } == true)
        #expect(left.load())
        acceptor.stop()
    }

    @Test func `a refused socket gets its words and its end`() throws {
        let port = Guarded<UInt16>(0)
        let acceptor = try EventLoop.start(name: "front") { loop throws(LoopError) in
            let chosen = try loop.listen(host: "127.0.0.1", port: 0) { socket in
                Array("not now".utf8).withUnsafeBytes { socket.refuse(saying: $0) }
            }
            port.withLock { $0 = chosen }
            return TestHandler(loop, EventLog(), .init())
        }
        let peer = TestPeer(port: port.withLock { $0 })
        #expect(peer.receiveText(7) == "not now")
        #expect(peer.receiveAll().ending == .finished)
        acceptor.stop()
    }

    @Test func `peers of one IPv6 site, and no others, are of one network`() {
        func peer(_ high: UInt64, _ low: UInt64) -> UInt64 {
            PeerAddress(high: high, low: low, port: 1).network
        }
        #expect(peer(0x2001_0db8_0000_0001, 1) == peer(0x2001_0db8_0000_0001, .max))
        #expect(peer(0x2001_0db8_0000_0001, 1) != peer(0x2001_0db8_0000_0002, 1))
        #expect(peer(0, 0xffff_0102_0304) != peer(0, 0xffff_0102_0305))
        #expect(peer(0, 0xffff_0102_0304) != peer(0, 1))
    }

    @Test func `at the limit of connections the listener waits for one to close`() throws {
        var limits = LoopLimits()
        limits.connectionsMax = 3
        let loop = try TestLoop(.echo, limits)
        var peers = (0..<3).map { _ in loop.peer() }
        #expect(loop.log.connections(3).count == 3)
        let fourth = loop.peer()
        fourth.send("patience")
        #expect(turnsUntilWoken(loop) < 20)
        #expect(loop.ask { $0.connectionCount } == 3)
        peers.removeLast().close()
        #expect(fourth.receiveText(8) == "patience")
        #expect((loop.ask { $0.counters.acceptPauses } ?? 0) >= 1)
    }

    @Test func `no listener is left after stopListening, connections are`() throws {
        let loop = try TestLoop(.echo)
        let peer = loop.peer()
        #expect(loop.log.firstConnection() != nil)
        _ = loop.ask { $0.stopListening() }
        let port = loop.port
        let other = try TestLoop()
        let connection = other.ask { $0.connect(host: "127.0.0.1", port: port) } ?? 0
        #expect(other.log.wait(for: .failed(connection, .connectionRefused)))
        peer.send("still")
        #expect(peer.receiveText(5) == "still")
    }

    @Test func `whoever waits at a listener that is closed is still accepted`() throws {
        let loop = try TestLoop(.echo)
        let (isInTurn, isPeerThere) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        loop.poster.post { handler in
            // The loop has no chance to accept the peer before its listener is closed.
            isInTurn.signal()
            isPeerThere.wait()
            handler.loop.stopListening()
        }
        isInTurn.wait()
        let peer = loop.peer()
        peer.send("early")
        isPeerThere.signal()
        #expect(peer.receiveText(5) == "early")
    }

    @Test func `without free descriptors the listener rests and comes back`() async {
        // In a process of its own, because the limit holds for the whole process.
        await #expect(processExitsWith: .success) {
            let loop = try TestLoop(.echo)
            let early = loop.peer()
            early.send("1")
            try #require(early.receiveText(1) == "1")
            // One descriptor is left for a peer's end, none for ours.
            let spare = dup(0)
            var limit = rlimit()
            getrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
            let before = limit
            close(spare)
            limit.rlim_cur = rlim_t(spare + 1)
            setrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
            let late = loop.peer()
            late.send("2")
            // The pause is counted once for each time it was tried, ten times a second at most.
            let turns = turnsUntilWoken(loop)
            let pauses = loop.ask { $0.counters.acceptPauses } ?? 0
            early.send("3")
            let isEarlyAlive = early.receiveText(1) == "3"
            setrlimit(Int32(RLIMIT_NOFILE.rawValue), [before])
            let isLateServed = late.receiveText(1) == "2"
            try #require(turns < 20)
            try #require(pauses >= 1 && pauses < 5)
            try #require(isEarlyAlive)
            try #require(isLateServed)
        }
    }

    @Test func `accepted sockets do not wait to gather small writes`() throws {
        let loop = try TestLoop()
        let peer = loop.peer()
        defer { peer.close() }
        let connection = try #require(loop.log.firstConnection())
        let value = loop.ask { loop -> Int32 in
            var value: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            if let entry = loop.slab.find(connection) {
                getsockopt(
                    entry.pointee.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &value, &length)
            }
            return value
        }
        #expect(value == 1)
    }
}

/// Says that nobody keeps it any more.
private final class Companion: Sendable {
    private let left: Flag
    init(_ left: Flag) { self.left = left }
    deinit { left.store(true) }
}
