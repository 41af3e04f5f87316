import Dispatch
import Glibc
import Loop

/// A handler that logs everything and does what a test's closures say.
final class TestHandler: LoopHandler {
    struct Script: Sendable {
        var accepted: (@Sendable (EventLoop, UInt64) -> Void)?
        var connected: (@Sendable (EventLoop, UInt64) -> Void)?
        var received: (@Sendable (EventLoop, UInt64, UnsafeMutableRawBufferPointer) -> Void)?
        var peerFinished: (@Sendable (EventLoop, UInt64) -> Bool)?
        var closed: (@Sendable (EventLoop, UInt64) -> Void)?
        var drained: (@Sendable (EventLoop, UInt64) -> Void)?
        var woke: (@Sendable (EventLoop) -> Void)?
        var turnEnded: (@Sendable (EventLoop) -> Void)?

        /// Sends everything back.
        static var echo: Script {
            Script(received: { loop, connection, bytes in
                loop.write(connection, UnsafeRawBufferPointer(bytes))
            })
        }
    }

    let loop: EventLoop
    let log: EventLog
    let script: Script

    init(_ loop: EventLoop, _ log: EventLog, _ script: Script) {
        self.loop = loop
        self.log = log
        self.script = script
    }

    func accepted(_ connection: UInt64, peer: PeerAddress) {
        log.add(.accepted(connection))
        script.accepted?(loop, connection)
    }

    func connected(_ connection: UInt64) {
        log.add(.connected(connection))
        script.connected?(loop, connection)
    }

    func failed(_ connection: UInt64, _ error: LoopError) { log.add(.failed(connection, error)) }

    func received(_ connection: UInt64, _ bytes: UnsafeMutableRawBufferPointer) {
        log.add(.received(connection, Array(bytes)))
        script.received?(loop, connection, bytes)
    }

    func peerFinished(_ connection: UInt64) -> Bool {
        log.add(.peerFinished(connection))
        return script.peerFinished?(loop, connection) ?? false
    }

    func drained(_ connection: UInt64) {
        log.add(.drained(connection))
        script.drained?(loop, connection)
    }

    func closed(_ connection: UInt64, _ reason: CloseReason) {
        script.closed?(loop, connection)
        log.add(.closed(connection, reason))
    }

    func woke() {
        script.woke?(loop)
        log.add(.woke)
    }

    func turnEnded() { script.turnEnded?(loop) }

    func stopped() { log.add(.stopped) }
}

/// A running loop with a listener on a port of the system's choice; stopped with the object.
final class TestLoop {
    let log = EventLog()
    let port: UInt16
    let poster: LoopPoster<TestHandler>

    init(
        _ script: TestHandler.Script = .init(), _ limits: LoopLimits = LoopLimits(),
        tls: TLSServerIdentity? = nil
    ) throws {
        let log = log
        let port = Guarded<UInt16>(0)
        poster = try EventLoop.start(name: "test loop", limits: limits) {
            loop throws(LoopError) in
            let listening = try loop.listen(host: "127.0.0.1", port: 0, tls: tls)
            port.withLock { $0 = listening }
            return TestHandler(loop, log, script)
        }
        self.port = port.withLock { $0 }
    }

    deinit { poster.stop() }

    func peer(receiveBytes: Int32? = nil) -> TestPeer {
        TestPeer(port: port, receiveBytes: receiveBytes)
    }

    /// Runs `work` on the loop's queue and waits for what it returns.
    func ask<Answer: Sendable>(_ work: @escaping @Sendable (EventLoop) -> Answer) -> Answer? {
        let answer = Guarded<Answer?>(nil)
        let done = DispatchSemaphore(value: 0)
        let box = Shared(answer)
        poster.post { handler in
            let value = work(handler.loop)
            box.value.withLock { $0 = value }
            done.signal()
        }
        _ = done.wait(timeout: .now() + 60)
        return box.value.withLock { $0 }
    }

    /// Returns when all posted before has been run and its turn is over, or will be before anything
    /// posted from now on.
    func settle() { _ = ask { _ in true } }

    func write(_ connection: UInt64, _ bytes: [UInt8]) {
        poster.post { handler in bytes.withUnsafeBytes { handler.loop.write(connection, $0) } }
    }
}

/// Lets a closure share a value that cannot be copied.
final class Shared<Value: ~Copyable & Sendable>: Sendable {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
}

/// Distinct bytes, so that a lost or doubled piece shows.
func pattern(_ count: Int, seed: Int = 0) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 &+ seed) &* 31 &+ ($0 >> 8)) }
}
