import Dispatch
import Loop
import Testing

@Suite struct TimerTests {
    @Test(arguments: [0, 1, 3, 40] as [Int64])
    func `the loop wakes at the time asked for and not before`(milliseconds: Int64) throws {
        let wokenAt = Count()
        let loop = try TestLoop(.init(woke: { loop in wokenAt.add(Int(loop.now)) }))
        let asked = loop.ask { loop in
            loop.wake(at: loop.now + milliseconds * 1_000_000)
            return loop.now
        }
        #expect(loop.log.wait(for: .woke))
        #expect(Int64(wokenAt.value) - (asked ?? .max) >= milliseconds * 1_000_000)
    }

    @Test func `the earliest of several times counts, and each is told once`() throws {
        let loop = try TestLoop()
        _ = loop.ask { loop in
            loop.wake(at: loop.now + 3_600_000_000_000)
            loop.wake(at: loop.now + 2_000_000)
            loop.wake(at: loop.now + 7_200_000_000_000)
        }
        #expect(loop.log.wait(for: .woke))
        #expect(turnsUntilWoken(loop) < 20)
        #expect(loop.log.all.filter { $0 == .woke }.count == 2)
    }

    @Test func `an earlier time asked for while parked is kept`() throws {
        let loop = try TestLoop()
        _ = loop.ask { $0.wake(at: $0.now + 3_600_000_000_000) }
        // Twice, so that the loop has surely parked with the far alarm set.
        #expect(turnsUntilWoken(loop) < 20)
        #expect(turnsUntilWoken(loop) < 20)
    }

    @Test func `timers go on while sockets keep the loop busy`() throws {
        let loop = try TestLoop(
            .init(
                received: { loop, connection, bytes in
                    loop.write(connection, UnsafeRawBufferPointer(bytes))
                }, woke: { loop in loop.wake(at: loop.now + 1_000_000) }))
        _ = loop.ask { $0.wake(at: $0.now) }
        let peer = loop.peer()
        var rounds = 0
        while loop.log.all.filter({ $0 == .woke }).count < 20, rounds < 1_000_000 {
            peer.send("x")
            _ = peer.receive(1)
            rounds += 1
        }
        #expect(rounds < 1_000_000)
    }

    @Test func `the clocks go on from turn to turn and stand still within one`() throws {
        let loop = try TestLoop()
        let first = loop.ask { [$0.now, $0.wallClockMilliseconds, $0.now] } ?? []
        let second = loop.ask { [$0.now, $0.wallClockMilliseconds] } ?? []
        #expect(first[0] == first[2])
        #expect(second[0] >= first[0])
        // After 2020 and before 2100: milliseconds since 1970, not seconds or nanoseconds.
        #expect((1_577_836_800_000..<4_102_444_800_000).contains(second[1]))
    }
}
