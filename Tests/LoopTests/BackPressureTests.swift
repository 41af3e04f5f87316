import Bytes
import Loop
import Testing

/// Small kernel buffers, so that little is enough to fill them.
private var tight: LoopLimits {
    var limits = LoopLimits()
    limits.socketSendBytes = 8192
    limits.socketReceiveBytes = 8192
    return limits
}

@Suite struct BackPressureTests {
    @Test func `what a slow peer cannot take waits and arrives in order`() throws {
        let loop = try TestLoop(.init(), tight)
        let peer = loop.peer(receiveBytes: 4096)
        let connection = try #require(loop.log.firstConnection())
        let first = pattern(100_000)
        let second = pattern(80_000, seed: 7)
        loop.write(connection, first)
        loop.write(connection, second)
        loop.settle()
        let waiting = loop.ask { $0.backlogBytes(connection) } ?? 0
        #expect(waiting > 150_000)
        #expect(loop.ask { $0.waitingBytes(connection) } == waiting)
        #expect(!loop.log.all.contains(.drained(connection)))
        #expect(peer.receive(first.count) == first)
        #expect(peer.receive(second.count) == second)
        #expect(loop.log.wait(for: .drained(connection)))
        #expect(loop.ask { $0.backlogBytes(connection) } == 0)
    }

    @Test func `of a peer that does not read the kernel takes only so much`() throws {
        var limits = LoopLimits()
        limits.socketUnsentBytes = 65_536
        let loop = try TestLoop(.init(), limits)
        let peer = loop.peer(receiveBytes: 4096)
        let connection = try #require(loop.log.firstConnection())
        for _ in 0..<40 { loop.write(connection, pattern(50_000)) }
        loop.settle()
        let waiting = loop.ask { $0.backlogBytes(connection) } ?? 0
        #expect(waiting > 1_700_000)
        #expect(peer.receive(2_000_000).count == 2_000_000)
        #expect(loop.log.wait(for: .drained(connection)))
    }

    @Test func `a backlog does not wake the loop until the peer reads`() throws {
        let loop = try TestLoop(.init(), tight)
        let peer = loop.peer(receiveBytes: 4096)
        let connection = try #require(loop.log.firstConnection())
        loop.write(connection, pattern(100_000))
        #expect(turnsUntilWoken(loop) < 20)
        #expect(peer.receive(100_000).count == 100_000)
        // Drained: the writable socket must not wake the loop either.
        #expect(loop.log.wait(for: .drained(connection)))
        #expect(turnsUntilWoken(loop) < 20)
    }

    @Test func `room is told once for each time it is awaited, with and without a backlog`() throws
    {
        let loop = try TestLoop(.init(), tight)
        let peer = loop.peer(receiveBytes: 4096)
        let connection = try #require(loop.log.firstConnection())
        func drainedCount() -> Int { loop.log.all.filter { $0 == .drained(connection) }.count }
        loop.poster.post { $0.loop.awaitRoom(connection) }
        #expect(loop.log.wait(for: .drained(connection)))
        #expect(turnsUntilWoken(loop) < 20)
        #expect(drainedCount() == 1)
        loop.poster.post {
            $0.loop.awaitRoom(connection)
            $0.loop.write(connection, ByteQueue(pattern(100_000)))
        }
        loop.settle()
        #expect(drainedCount() == 1)
        #expect(peer.receive(100_000).count == 100_000)
        #expect(loop.log.wait { _ in drainedCount() == 2 })
        #expect(turnsUntilWoken(loop) < 20)
        #expect(drainedCount() == 2)
    }

    @Test func `a closing connection that awaits room does not wake the loop`() throws {
        let loop = try TestLoop(.init())
        let peer = loop.peer()
        let connection = try #require(loop.log.firstConnection())
        loop.poster.post {
            $0.loop.awaitRoom(connection)
            $0.loop.close(connection, .afterFlush(withinMilliseconds: 10_000))
        }
        loop.settle()
        #expect(turnsUntilWoken(loop) < 20)
        peer.close()
        #expect(loop.log.reason(connection) != nil)
        #expect(!loop.log.all.contains(.drained(connection)))
    }

    @Test func `a peer beyond the hard limit is ended and hurts no other`() throws {
        var limits = tight
        limits.backlogBytesMax = 100_000
        let loop = try TestLoop(.init(), limits)
        let slow = loop.peer(receiveBytes: 4096)
        let slowOne = try #require(loop.log.firstConnection())
        let quick = loop.peer()
        let quickOne = loop.log.connections(2)[1]
        for _ in 0..<100 {
            loop.write(slowOne, pattern(5000))
            loop.write(quickOne, pattern(50))
        }
        #expect(loop.log.reason(slowOne) == .backlogFull)
        #expect(quick.receive(5000).count == 5000)
        #expect(loop.ask { $0.counters.backlogsOverflown } == 1)
        #expect(loop.ask { $0.backlogBytes(slowOne) } == 0)
        slow.close()
    }

    @Test func `the owner can close a slow peer by its own rule`() throws {
        let loop = try TestLoop(.init(), tight)
        let peer = loop.peer(receiveBytes: 4096)
        let connection = try #require(loop.log.firstConnection())
        loop.write(connection, pattern(100_000))
        loop.settle()
        loop.poster.post { handler in
            if handler.loop.backlogBytes(connection) > 1000 {
                handler.loop.close(connection, .atOnce)
            }
        }
        #expect(loop.log.reason(connection) == .closedHere)
        #expect(peer.receiveAll().count < 100_000)
    }

    @Test func `a paused connection is not read and goes on when resumed`() throws {
        let loop = try TestLoop(
            .init(received: { loop, connection, _ in loop.pauseReading(connection) }))
        let peer = loop.peer()
        let connection = try #require(loop.log.firstConnection())
        peer.send("one")
        #expect(loop.log.wait(for: .received(connection, Array("one".utf8))))
        peer.send("two")
        #expect(turnsUntilWoken(loop) < 20)
        #expect(loop.log.receivedCount(connection) == 3)
        loop.poster.post { $0.loop.resumeReading(connection) }
        #expect(loop.log.wait(for: .received(connection, Array("two".utf8))))
    }

    @Test func `a paused peer that floods is slowed down by the kernel`() throws {
        let loop = try TestLoop(
            .init(received: { loop, connection, _ in loop.pauseReading(connection) }), tight)
        let peer = loop.peer()
        let connection = try #require(loop.log.firstConnection())
        peer.send("x")
        #expect(loop.log.wait { _ in loop.log.receivedCount(connection) == 1 })
        var sent = 0
        while let count = peer.sendWhatFits(pattern(65_536)), count > 0 { sent += count }
        #expect(sent < 20_000_000)
        #expect(loop.log.receivedCount(connection) == 1)
    }
}

/// How many turns the loop takes in 60 ms without anyone asking anything of it.
func turnsUntilWoken(_ loop: TestLoop) -> Int {
    let woken = loop.log.all.filter { $0 == .woke }.count
    let before = loop.ask { loop in
        loop.wake(at: loop.now + 60_000_000)
        return loop.counters.turns
    }
    guard loop.log.wait(until: { $0.filter { $0 == .woke }.count > woken }),
        let before, let after = loop.ask({ $0.counters.turns })
    else { return .max }
    return after - before
}
