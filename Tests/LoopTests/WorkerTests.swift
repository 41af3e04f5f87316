import Dispatch
import Loop
import Testing

@Suite struct WorkerTests {
    @Test func `items from four threads are all worked off, each thread's in order`() {
        let perThread = 20_000
        let wrong = Count()
        let batches = Count()
        let finished = DispatchSemaphore(value: 0)
        let worker = Worker<(thread: Int, number: Int)>(name: "worker", waitingMax: .max) {
            var next = [0, 0, 0, 0]
            return { items in
                batches.add()
                for item in items {
                    if next[item.thread] != item.number { wrong.add() }
                    next[item.thread] += 1
                }
                if next.allSatisfy({ $0 == perThread }) { finished.signal() }
            }
        }
        for thread in 0..<4 {
            DispatchQueue(label: "submitter \(thread)").async {
                for number in 0..<perThread where !worker.submit((thread, number)) { wrong.add() }
            }
        }
        #expect(finished.wait(timeout: .now() + 60) == .success)
        #expect(wrong.value == 0)
        #expect(batches.value < 4 * perThread)
    }

    @Test func `what waits while a batch is worked off is the next batch, whole`() {
        let started = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let batches = Shared(Guarded<[[Int]]>([]))
        let worker = Worker<Int>(name: "worker") {
            { items in
                batches.value.withLock { $0.append(items) }
                started.signal()
                _ = mayGoOn.wait(timeout: .now() + 60)
            }
        }
        #expect(worker.submit(0))
        #expect(started.wait(timeout: .now() + 60) == .success)
        for item in 1...100 { #expect(worker.submit(item)) }
        #expect(worker.waitingCount == 100)
        mayGoOn.signal()
        #expect(started.wait(timeout: .now() + 60) == .success)
        mayGoOn.signal()
        #expect(batches.value.withLock { $0 } == [[0], Array(1...100)])
    }

    @Test func `items that are submitted together are worked off together, or all refused`() {
        let batches = Shared(Guarded<[[Int]]>([]))
        let stopped = DispatchSemaphore(value: 0)
        let worker = Worker<Int>(name: "worker", waitingMax: 3) {
            { items in batches.value.withLock { $0.append(items) } }
        }
        #expect(!worker.submit([1, 2, 3, 4]))
        #expect(worker.submit([5, 6, 7]))
        worker.stop { stopped.signal() }
        #expect(stopped.wait(timeout: .now() + 60) == .success)
        #expect(batches.value.withLock { $0 } == [[5, 6, 7]])
    }

    @Test func `beyond the limit an item is refused and not taken`() {
        let started = DispatchSemaphore(value: 0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let worked = Count()
        let worker = Worker<Int>(name: "worker", waitingMax: 3) {
            { items in
                started.signal()
                _ = mayGoOn.wait(timeout: .now() + 60)
                worked.add(items.count)
            }
        }
        #expect(worker.submit(0))
        #expect(started.wait(timeout: .now() + 60) == .success)
        #expect((1...5).map { worker.submit($0) } == [true, true, true, false, false])
        let gone = DispatchSemaphore(value: 0)
        worker.stop { gone.signal() }
        #expect(!worker.submit(9))
        mayGoOn.signal()
        mayGoOn.signal()
        #expect(gone.wait(timeout: .now() + 60) == .success)
        #expect(worked.value == 4)
    }

    @Test func `what the closure owns is let go on the worker's queue when it stops`() {
        final class Owned {
            let told: @Sendable () -> Void
            init(_ told: @escaping @Sendable () -> Void) { self.told = told }
            deinit { told() }
        }
        let isGone = Flag()
        let gone = DispatchSemaphore(value: 0)
        let worker = Worker<Int>(name: "worker") {
            let owned = Owned { isGone.store(true) }
            return { _ in _ = owned }
        }
        #expect(!isGone.load())
        worker.stop { gone.signal() }
        #expect(gone.wait(timeout: .now() + 60) == .success)
        #expect(isGone.load())
    }

    @Test func `an error while it is made is thrown`() {
        struct NoStore: Error {}
        #expect(throws: NoStore.self) {
            _ = try Worker<Int>(name: "worker") { () throws(NoStore) in
                if true { throw NoStore() }
                return { _ in }
            }
        }
    }
}
