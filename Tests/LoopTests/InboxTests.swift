import Dispatch
import Loop
import Testing

@Suite struct InboxTests {
    @Test func `two hundred thousand posts from four threads all run, each thread's in order`()
        throws
    {
        let loop = try TestLoop()
        let perThread = 50_000
        // Touched on the loop's queue only, but shared with the closures that are posted.
        let next = Guarded([Int](repeating: 0, count: 4))
        let box = Shared(next)
        let wrong = Count()
        let done = Count()
        let finished = DispatchSemaphore(value: 0)
        for thread in 0..<4 {
            DispatchQueue(label: "poster \(thread)").async { [poster = loop.poster] in
                for number in 0..<perThread {
                    poster.post { _ in
                        let isInOrder = box.value.withLock { next in
                            defer { next[thread] += 1 }
                            return next[thread] == number
                        }
                        if !isInOrder { wrong.add() }
                        if done.add() == 4 * perThread { finished.signal() }
                    }
                }
            }
        }
        #expect(finished.wait(timeout: .now() + 60) == .success)
        #expect(wrong.value == 0)
        #expect(loop.poster.waitingCount == 0)
    }

    @Test func `a lone post wakes a parked loop every time`() throws {
        let loop = try TestLoop()
        let ran = DispatchSemaphore(value: 0)
        for round in 0..<2000 {
            loop.poster.post { _ in ran.signal() }
            guard ran.wait(timeout: .now() + 60) == .success else {
                Issue.record("post \(round) was lost")
                return
            }
        }
    }

    @Test func `a post is answered between a busy loop's events`() throws {
        let loop = try TestLoop(.echo)
        let peer = loop.peer()
        peer.send("x")
        for _ in 0..<200 {
            #expect(peer.receive(1).count == 1)
            peer.send("x")
            #expect(loop.ask { $0.connectionCount } == 1)
        }
    }

    @Test func `a post made within a post runs after it`() throws {
        let loop = try TestLoop()
        let poster = loop.poster
        loop.poster.post { handler in
            poster.post { $0.log.add(.note("inner")) }
            handler.log.add(.note("outer"))
        }
        #expect(loop.log.wait(for: .note("inner")))
        #expect(loop.log.all == [.note("outer"), .note("inner")])
    }
}
