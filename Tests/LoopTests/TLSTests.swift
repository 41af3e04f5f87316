import Bytes
import Loop
import Testing

@Suite struct TLSTests {
    private static var tight: LoopLimits {
        var limits = LoopLimits()
        limits.socketSendBytes = 4096
        limits.socketReceiveBytes = 4096
        return limits
    }

    @Test func `bytes come back through TLS as they were sent`() throws {
        let rig = try TLSRig()
        let connection = try rig.open()
        rig.client.write(connection, Array("hello".utf8))
        #expect(rig.client.log.received(connection, count: 5) == Array("hello".utf8))
        #expect(rig.server.ask { $0.counters.handshakes } == 1)
        #expect(rig.client.ask { $0.counters.handshakes } == 1)
    }

    @Test(arguments: [1, 3, 700]) func `sessions read in pieces of any size`(
        bytes: Int
    ) throws {
        var limits = LoopLimits()
        limits.readBufferBytes = bytes
        let rig = try TLSRig(limits: limits, clientLimits: limits)
        let connection = try rig.open()
        let sent = pattern(3000)
        rig.client.write(connection, sent)
        #expect((rig.client.log.received(connection, count: sent.count) == sent) as Bool)
    }

    @Test func `what was written in a turn leaves by one send`() throws {
        let rig = try TLSRig(server: .init())
        let connection = try rig.open()
        let served = try #require(rig.server.log.firstConnection())
        let before = rig.server.ask { $0.counters } ?? LoopCounters()
        rig.server.poster.post { handler in
            for _ in 0..<100 { handler.loop.write(served, ByteQueue("0123456789".utf8)) }
        }
        #expect(rig.client.log.received(connection, count: 1000).count == 1000)
        let after = rig.server.ask { $0.counters } ?? LoopCounters()
        #expect(after.sends == before.sends + 1)
        // One record: 5 bytes in front, 1 for its kind, 16 for its tag.
        #expect(after.bytesSent == before.bytesSent + 1022)
    }

    @Test func `what a slow peer does not take waits and arrives whole and in order`() throws {
        let rig = try TLSRig(
            server: .init(), limits: Self.tight,
            client: .init(received: { loop, connection, bytes in
                if loop.counters.bytesReceived < 30_000 { loop.pauseReading(connection) }
            }), clientLimits: Self.tight)
        let connection = try rig.open()
        let served = try #require(rig.server.log.firstConnection())
        let sent = pattern(3_000_000)
        rig.server.write(served, Array(sent[..<1_000_000]))
        rig.server.settle()
        #expect((rig.server.ask { $0.backlogBytes(served) } ?? 0) > 500_000)
        // Behind a backlog, in many small pieces and one that does not fit the arena.
        rig.server.poster.post { handler in
            for at in stride(from: 1_000_000, to: 1_100_000, by: 100) {
                sent[at..<(at + 100)].withUnsafeBytes { handler.loop.write(served, $0) }
            }
            #expect(handler.loop.backlogBytes(served) > 600_000)
            sent[1_100_000...].withUnsafeBytes { handler.loop.write(served, $0) }
        }
        rig.server.settle()
        while rig.client.log.receivedCount(connection) < 30_000 {
            _ = rig.client.ask { $0.resumeReading(connection) }
        }
        #expect((rig.client.log.received(connection, count: sent.count) == sent) as Bool)
        #expect(rig.server.log.wait(for: .drained(served)))
    }

    @Test func `a write bigger than the arena arrives whole`() throws {
        var limits = LoopLimits()
        limits.arenaBytes = 8192
        let rig = try TLSRig(server: .init(), limits: limits)
        let connection = try rig.open()
        let served = try #require(rig.server.log.firstConnection())
        let big = pattern(2_000_000)
        rig.server.poster.post { handler in
            handler.loop.write(served, ByteQueue("first".utf8))
            big.withUnsafeBytes { handler.loop.write(served, $0) }
            handler.loop.write(served, ByteQueue("last".utf8))
        }
        let expected = Array("first".utf8) + big + Array("last".utf8)
        #expect((rig.client.log.received(connection, count: expected.count) == expected) as Bool)
    }

    @Test func `a peer over the backlog's limit is closed, and others go on`() throws {
        var limits = Self.tight
        limits.backlogBytesMax = 100_000
        let rig = try TLSRig(
            server: .init(), limits: limits,
            client: .init(received: { loop, connection, _ in loop.pauseReading(connection) }),
            clientLimits: Self.tight)
        for _ in 0..<2 { _ = try rig.open() }
        let served = rig.server.log.connections(2)
        rig.server.write(served[0], pattern(1_000_000))
        #expect(rig.server.log.reason(served[0]) == .backlogFull)
        rig.server.write(served[1], Array("ok".utf8))
        let both = {
            rig.client.log.all.contains { event in
                if case .received(_, let bytes) = event { bytes == Array("ok".utf8) } else { false }
            }
        }
        #expect(rig.client.log.wait { _ in both() })
    }

    // MARK: Ends

    @Test func `a closing side's last bytes arrive, then its word that it is done`() throws {
        let rig = try TLSRig(
            server: .init(received: { loop, connection, _ in
                loop.write(connection, ByteQueue("bye".utf8))
                loop.close(connection, .afterFlush())
            }))
        let connection = try rig.open()
        rig.client.write(connection, [1])
        #expect(rig.client.log.wait(for: .peerFinished(connection)))
        #expect(rig.client.log.received(connection, count: 3) == Array("bye".utf8))
        #expect(rig.client.log.reason(connection) == .closedByPeer)
        let served = try #require(rig.server.log.firstConnection())
        #expect(rig.server.log.reason(served) == .closedHere)
    }

    @Test func `a peer that has finished still gets what is written`() throws {
        let rig = try TLSRig(
            server: .init(peerFinished: { loop, connection in
                loop.write(connection, ByteQueue("late".utf8))
                loop.close(connection, .afterFlush())
                return true
            }))
        let connection = try rig.open()
        rig.client.poster.post { $0.loop.close(connection, .afterFlush()) }
        let served = try #require(rig.server.log.firstConnection())
        #expect(rig.server.log.reason(served) == .closedByPeer)
        #expect(rig.client.log.reason(connection) == .closedHere)
    }

    @Test func `an end without a word is told as cut off`() throws {
        let rig = try TLSRig()
        let connection = try rig.open()
        let served = try #require(rig.server.log.firstConnection())
        rig.client.poster.post { $0.loop.close(connection, .atOnce) }
        #expect(rig.server.log.reason(served) == .cutOff)
    }

    @Test func `a loop that stops ends its sessions`() throws {
        let rig = try TLSRig()
        let connection = try rig.open()
        let served = try #require(rig.server.log.firstConnection())
        rig.server.poster.stop()
        #expect(rig.server.log.reason(served) == .loopStopped)
        #expect(rig.client.log.reason(connection) == .cutOff)
    }

    @Test func `another loop takes over the connection and its handshake`() throws {
        let authority = try TestAuthority.shared.get()
        let identity = try TLSServerIdentity([authority.pair("hub.example")])
        let worker = try TestLoop(.echo)
        let poster = worker.poster
        let front = try TestLoop()
        let port = front.ask { loop in
            try? loop.listen(host: "127.0.0.1", port: 0, tls: identity) { socket in
                poster.post { $0.loop.adopt(socket) }
            }
        }
        let rig = try TLSRig()
        let connection = try rig.open(port: try #require(port ?? nil))
        rig.client.write(connection, [8])
        #expect(rig.client.log.received(connection, count: 1) == [8])
        #expect(worker.ask { $0.counters.handshakes } == 1)
    }
}
