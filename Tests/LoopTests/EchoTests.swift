import Bytes
import Glibc
import Loop
import Testing

@Suite struct EchoTests {
    @Test func `bytes come back as they were sent`() throws {
        let loop = try TestLoop(.echo)
        let peer = loop.peer()
        peer.send("hello")
        #expect(peer.receiveText(5) == "hello")
    }

    @Test func `a megabyte comes back whole and in order`() throws {
        let loop = try TestLoop(.echo)
        let peer = loop.peer()
        let sent = pattern(1_000_000)
        var back: [UInt8] = []
        for start in stride(from: 0, to: sent.count, by: 50_000) {
            peer.send(Array(sent[start..<start + 50_000]))
            back += peer.receive(50_000)
        }
        #expect(back == sent)
    }

    @Test func `three hundred connections each get their own bytes`() throws {
        let loop = try TestLoop(.echo)
        let peers = (0..<300).map { _ in loop.peer() }
        for (index, peer) in peers.enumerated() { peer.send("number \(index + 1000)") }
        for (index, peer) in peers.enumerated() {
            #expect(peer.receiveText(11) == "number \(index + 1000)")
        }
        #expect(loop.ask { $0.connectionCount } == 300)
        #expect(loop.ask { $0.counters.accepted } == 300)
    }

    @Test func `pieces and repeated writes keep their order across connections`() throws {
        let loop = try TestLoop()
        let peers = [loop.peer(), loop.peer()]
        let connections = loop.log.connections(2)
        loop.poster.post { handler in
            for round in 0..<50 {
                for connection in connections {
                    var tail = ByteQueue()
                    tail.append(decimal: 10 + round)
                    let a: StaticString = "a", b: StaticString = "bc"
                    handler.loop.write(
                        connection, UnsafeRawBufferPointer(start: a.utf8Start, count: 1),
                        UnsafeRawBufferPointer(start: b.utf8Start, count: 2))
                    handler.loop.write(connection, tail)
                }
            }
        }
        let expected = (0..<50).map { "abc\(10 + $0)" }.joined()
        for peer in peers { #expect(peer.receiveText(250) == expected) }
    }

    @Test func `all that is written in a turn leaves by one send`() throws {
        let loop = try TestLoop()
        let peer = loop.peer()
        let connection = try #require(loop.log.firstConnection())
        let before = loop.ask { $0.counters.sends }
        loop.poster.post { handler in
            for _ in 0..<100 { handler.loop.write(connection, ByteQueue("0123456789".utf8)) }
        }
        #expect(peer.receive(1000).count == 1000)
        #expect(loop.ask { $0.counters.sends } == before.map { $0 + 1 })
    }

    @Test func `what is written when the turn ends still goes out with it`() throws {
        let loop = try TestLoop(
            .init(
                received: { loop, connection, _ in loop.write(connection, ByteQueue("1".utf8)) },
                turnEnded: { loop in
                    if loop.counters.bytesReceived == 1 && loop.counters.bytesSent == 0 {
                        loop.write(1 << 32, ByteQueue("2".utf8))
                    }
                }))
        let peer = loop.peer()
        #expect(loop.log.firstConnection() == 1 << 32)
        peer.send("x")
        #expect(peer.receiveText(2) == "12")
    }

    @Test func `a write bigger than the arena arrives whole behind an earlier one`() throws {
        var limits = LoopLimits()
        limits.arenaBytes = 8192
        let loop = try TestLoop(.init(), limits)
        let peer = loop.peer()
        let connection = try #require(loop.log.firstConnection())
        let big = pattern(3_000_000)
        loop.poster.post { handler in
            handler.loop.write(connection, ByteQueue("first".utf8))
            big.withUnsafeBytes { handler.loop.write(connection, $0) }
            handler.loop.write(connection, ByteQueue("last".utf8))
        }
        #expect(peer.receiveText(5) == "first")
        #expect(peer.receive(big.count) == big)
        #expect(peer.receiveText(4) == "last")
    }

    @Test func `a full arena is flushed early and loses nothing`() throws {
        var limits = LoopLimits()
        limits.arenaBytes = 4096
        let loop = try TestLoop(.init(), limits)
        let peers = (0..<4).map { _ in loop.peer() }
        let connections = loop.log.connections(4)
        let piece = pattern(1000)
        loop.poster.post { handler in
            for _ in 0..<25 {
                for connection in connections {
                    piece.withUnsafeBytes { handler.loop.write(connection, $0) }
                }
            }
        }
        for peer in peers {
            #expect(peer.receive(25_000) == (0..<25).flatMap { _ in piece })
        }
        #expect((loop.ask { $0.counters.earlyFlushes } ?? 0) > 10)
    }

    @Test func `the peer's address is told`() throws {
        let log = EventLog()
        final class Greeter: LoopHandler {
            let log: EventLog
            init(_ log: EventLog) { self.log = log }
            func accepted(_ connection: UInt64, peer: PeerAddress) {
                log.add(.note("\(peer.host) \(peer.isIPv4) \(peer.isLoopback)"))
                log.add(.note("port \(peer.port)"))
            }
            func received(_ connection: UInt64, _ bytes: UnsafeMutableRawBufferPointer) {}
            func closed(_ connection: UInt64, _ reason: CloseReason) {}
        }
        let poster = try EventLoop.start(name: "greeter") { loop throws(LoopError) in
            log.add(.note("listening on \(try loop.listen(host: "::", port: 0))"))
            return Greeter(log)
        }
        guard case .note(let text)? = log.all.first, let port = UInt16(text.dropFirst(13)) else {
            Issue.record("no port was noted")
            return
        }
        // An IPv4 peer of a listener on all addresses is told as IPv4.
        let peer = TestPeer(port: port)
        #expect(log.wait(for: .note("127.0.0.1 true true")))
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutableBytes(of: &address) { bytes in
            getsockname(
                peer.descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self),
                &length)
        }
        #expect(log.wait(for: .note("port \(UInt16(bigEndian: address.sin_port))")))
        poster.stop()
    }
}
