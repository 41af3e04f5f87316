import Bytes
import Dispatch
import Loop
import Synchronization
import Testing

private var tight: LoopLimits {
    var limits = LoopLimits()
    limits.socketSendBytes = 8192
    limits.socketReceiveBytes = 8192
    return limits
}

@Suite struct CloseTests {
    @Test func `closing after a flush sends everything and then ends in order`() throws {
        let loop = try TestLoop(.init(), tight)
        let peer = loop.peer(receiveBytes: 4096)
        let connection = try #require(loop.log.firstConnection())
        loop.poster.post { handler in
            pattern(200_000).withUnsafeBytes { handler.loop.write(connection, $0) }
            handler.loop.close(connection, .afterFlush(withinMilliseconds: 8000))
            handler.loop.write(connection, ByteQueue("too late".utf8))
        }
        let (count, ending) = peer.receiveAll()
        #expect(count == 200_000)
        #expect(ending == .finished)
        peer.close()
        #expect(loop.log.reason(connection) == .closedHere)
    }

    @Test func `a peer that still sends sees our last bytes and no reset`() throws {
        let loop = try TestLoop(
            .init(received: { loop, connection, _ in
                loop.write(connection, ByteQueue("goodbye".utf8))
                loop.close(connection, .afterFlush())
            }))
        let peer = loop.peer()
        peer.send(pattern(300_000))
        let (count, ending) = peer.receiveAll()
        #expect(count == 7)
        #expect(ending == .finished)
        peer.close()
        let connection = try #require(loop.log.firstConnection())
        #expect(loop.log.reason(connection) == .closedHere)
        // Nothing is told of what came after the close.
        #expect(loop.log.receivedCount(connection) <= 65_536)
    }

    @Test func `a peer that never reads is given up at the deadline`() throws {
        let loop = try TestLoop(.init(), tight)
        let peer = loop.peer(receiveBytes: 4096)
        let connection = try #require(loop.log.firstConnection())
        loop.poster.post { handler in
            pattern(200_000).withUnsafeBytes { handler.loop.write(connection, $0) }
            handler.loop.close(connection, .afterFlush(withinMilliseconds: 30))
        }
        #expect(loop.log.reason(connection) == .deadlinePassed)
        #expect(loop.ask { $0.counters.closesOverdue } == 1)
        #expect(loop.ask { $0.connectionCount } == 0)
        peer.close()
    }

    @Test func `peers that never read together are given up one portion a turn`() throws {
        var limits = tight
        limits.releasedBytesPerTurn = 1
        let moments = Mutex<[Int64]>([])
        var script = TestHandler.Script()
        script.closed = { loop, _ in moments.withLock { $0.append(loop.now) } }
        let loop = try TestLoop(script, limits)
        let peers = (0..<3).map { _ in loop.peer(receiveBytes: 4096) }
        let connections = loop.log.connections(3)
        loop.poster.post { handler in
            for connection in connections {
                pattern(200_000).withUnsafeBytes { handler.loop.write(connection, $0) }
                handler.loop.close(connection, .afterFlush(withinMilliseconds: 30))
            }
        }
        for connection in connections {
            #expect(loop.log.reason(connection) == .deadlinePassed)
        }
        #expect(Set(moments.withLock { $0 }).count == 3)
        for peer in peers { peer.close() }
    }

    @Test func `a peer on a slow link has time for all as long as it goes on reading`() throws {
        var limits = tight
        // Longer than the kernel waits before it asks anew whether a full peer has room.
        limits.closeMilliseconds = 600
        let loop = try TestLoop(.init(), limits)
        let peer = loop.peer(receiveBytes: 4096)
        let connection = try #require(loop.log.firstConnection())
        loop.poster.post { handler in
            pattern(200_000).withUnsafeBytes { handler.loop.write(connection, $0) }
            handler.loop.close(connection, .afterFlush())
        }
        var count = 0
        for _ in 0..<12 {
            count += peer.receive(10_000).count
            _ = turnsUntilWoken(loop)
        }
        let (rest, ending) = peer.receiveAll()
        #expect(count + rest == 200_000)
        #expect(ending == .finished)
        peer.close()
        #expect(loop.log.reason(connection) == .closedHere)
        #expect(loop.ask { $0.counters.closesOverdue } == 0)
    }

    @Test func `a peer that reads ever so little is given up at the end`() throws {
        var limits = tight
        limits.closeMilliseconds = 40
        limits.closeMillisecondsMax = 200
        let loop = try TestLoop(.init(), limits)
        let peer = loop.peer(receiveBytes: 4096)
        let connection = try #require(loop.log.firstConnection())
        loop.poster.post { handler in
            pattern(2_000_000).withUnsafeBytes { handler.loop.write(connection, $0) }
            handler.loop.close(connection, .afterFlush())
        }
        for _ in 0..<6 {
            _ = peer.receive(20_000)
            _ = turnsUntilWoken(loop)
        }
        #expect(loop.log.reason(connection) == .deadlinePassed)
        #expect(loop.ask { $0.counters.closesOverdue } == 1)
        peer.close()
    }

    @Test func `a peer that reads but never closes is given up at the deadline`() throws {
        let loop = try TestLoop()
        let peer = loop.peer()
        let connection = try #require(loop.log.firstConnection())
        loop.poster.post { handler in
            handler.loop.write(connection, ByteQueue("bye".utf8))
            handler.loop.close(connection, .afterFlush(withinMilliseconds: 30))
        }
        #expect(peer.receiveText(3) == "bye")
        #expect(loop.log.reason(connection) == .closedHere)
        peer.close()
    }

    @Test func `a peer that floods while we close is cut off`() throws {
        var limits = LoopLimits()
        limits.discardedBytesMax = 100_000
        let loop = try TestLoop(
            .init(accepted: { loop, connection in
                loop.close(connection, .afterFlush(withinMilliseconds: 60_000))
            }), limits)
        let peer = loop.peer()
        peer.send(pattern(1_000_000))
        let connection = try #require(loop.log.firstConnection())
        #expect(loop.log.reason(connection) == .closedHere)
    }

    @Test func `closing at once tells the end once and within the turn`() throws {
        let loop = try TestLoop(
            .init(received: { loop, connection, _ in
                loop.close(connection, .atOnce)
                loop.close(connection, .atOnce)
                loop.close(connection, .afterFlush())
            }))
        let peer = loop.peer()
        let connection = try #require(loop.log.firstConnection())
        peer.send("x")
        #expect(loop.log.reason(connection) == .closedHere)
        _ = loop.ask { _ in 0 }
        #expect(loop.log.all.filter { $0 == .closed(connection, .closedHere) }.count == 1)
    }

    @Test func `a peer that closes is told with its reason`() throws {
        let loop = try TestLoop()
        let peer = loop.peer()
        let connection = try #require(loop.log.firstConnection())
        peer.send("last")
        peer.close()
        #expect(loop.log.reason(connection) == .closedByPeer)
        #expect(loop.log.all.contains(.received(connection, Array("last".utf8))))
        #expect(loop.log.all.contains(.peerFinished(connection)))
    }

    @Test func `a reset ends the connection as broken`() throws {
        let loop = try TestLoop()
        let peer = loop.peer()
        let connection = try #require(loop.log.firstConnection())
        peer.reset()
        #expect(loop.log.reason(connection) == .broken(code: 104))
    }

    @Test func `a reset is heard while reading is paused`() throws {
        let loop = try TestLoop(
            .init(accepted: { loop, connection in loop.pauseReading(connection) }))
        let peer = loop.peer()
        let connection = try #require(loop.log.firstConnection())
        peer.reset()
        #expect(loop.log.reason(connection) == .broken(code: 104))
    }

    @Test func `a peer that finished sending still gets its answer`() throws {
        let loop = try TestLoop(.init(peerFinished: { _, _ in true }))
        let peer = loop.peer()
        let connection = try #require(loop.log.firstConnection())
        peer.send("question")
        peer.finishSending()
        #expect(loop.log.wait(for: .peerFinished(connection)))
        // Half closed and silent: a descriptor that stays readable must not spin the loop.
        #expect(turnsUntilWoken(loop) < 20)
        loop.poster.post { handler in
            handler.loop.write(connection, ByteQueue("answer".utf8))
            handler.loop.close(connection, .afterFlush())
        }
        let (count, ending) = peer.receiveAll()
        #expect(count == 6)
        #expect(ending == .finished)
        #expect(loop.log.reason(connection) == .closedByPeer)
    }

    @Test func `sixty half-closed, reset and silent peers leave the loop at rest`() throws {
        let loop = try TestLoop(.init(peerFinished: { _, _ in true }))
        let peers = (0..<60).map { _ in loop.peer() }
        #expect(loop.log.connections(60).count == 60)
        for (index, peer) in peers.enumerated() {
            switch index % 3 {
            case 0: peer.finishSending()
            case 1: peer.reset()
            default: break
            }
        }
        #expect(
            loop.log.wait { events in
                let told = events.filter { event in
                    switch event {
                    case .peerFinished, .closed: true
                    default: false
                    }
                }
                return told.count == 40
            })
        #expect(turnsUntilWoken(loop) < 20)
        #expect(loop.ask { $0.connectionCount } == 40)
    }

    @Test func `writing to a peer that is gone ends that connection only`() throws {
        let loop = try TestLoop(.init(peerFinished: { _, _ in true }))
        let gone = loop.peer()
        let other = loop.peer()
        let connections = loop.log.connections(2)
        gone.close()
        #expect(loop.log.wait(for: .peerFinished(connections[0])))
        // The first write is answered by a reset, a later one fails; neither ends the process.
        var rounds = 0
        while !loop.log.all.contains(where: { if case .closed = $0 { true } else { false } }),
            rounds < 10_000
        {
            loop.write(connections[0], [1])
            _ = loop.ask { _ in 0 }
            rounds += 1
        }
        guard case .broken? = loop.log.reason(connections[0]) else {
            Issue.record("the connection did not end as broken")
            return
        }
        loop.write(connections[1], Array("alive".utf8))
        #expect(other.receiveText(5) == "alive")
    }

    @Test func `a churn of connections that end in every way leaves none behind`() throws {
        let loop = try TestLoop(
            .init(received: { loop, connection, bytes in
                switch bytes[0] {
                case UInt8(ascii: "n"): loop.close(connection, .atOnce)
                case UInt8(ascii: "f"):
                    loop.write(connection, ByteQueue("bye".utf8))
                    loop.close(connection, .afterFlush())
                default: loop.write(connection, UnsafeRawBufferPointer(bytes))
                }
            }))
        let done = DispatchGroup()
        for thread in 0..<4 {
            let port = loop.port
            DispatchQueue(label: "churn \(thread)").async(group: done) {
                for round in 0..<150 {
                    let peer = TestPeer(port: port)
                    switch round % 6 {
                    case 0: peer.send("now")
                    case 1: peer.send("flush")
                    case 2: peer.reset()
                    case 3: peer.finishSending()
                    case 4:
                        peer.send("echo")
                        peer.reset()
                    default:
                        peer.send("echo")
                        _ = peer.receive(4)
                    }
                    if round % 6 == 1 { _ = peer.receiveAll() }
                    peer.close()
                }
            }
        }
        #expect(done.wait(timeout: .now() + 60) == .success)
        #expect(
            loop.log.wait { events in
                events.filter { if case .closed = $0 { true } else { false } }.count == 600
            })
        #expect(loop.ask { [$0.connectionCount, $0.counters.accepted] } == [0, 600])
    }

    @Test func `stopping ends everything and frees the port`() throws {
        let loop = try TestLoop(.echo)
        let peer = loop.peer()
        let connection = try #require(loop.log.firstConnection())
        loop.poster.post { handler in handler.log.add(.note("posted before")) }
        let log = loop.log
        loop.poster.stop { log.add(.note("gone")) }
        #expect(log.wait(for: .note("gone")))
        #expect(log.reason(connection) == .loopStopped)
        #expect(log.all.contains(.note("posted before")))
        #expect(log.all.contains(.stopped))
        #expect(peer.receiveAll().count == 0)
        #expect(!loop.poster.post { _ in log.add(.note("never")) })
        loop.poster.stop { log.add(.note("stopped twice")) }
        #expect(log.wait(for: .note("stopped twice")))
        let port = loop.port
        let again = try EventLoop.start(name: "again") { loop throws(LoopError) in
            try loop.listen(host: "127.0.0.1", port: port)
            return TestHandler(loop, log, .init())
        }
        again.stop()
    }
}
