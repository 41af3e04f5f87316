import Bytes
import Glibc
import Loop
import Testing

/// Which connections a relay has joined.
private final class Links: Sendable {
    private let pairs = Guarded<[UInt64: UInt64]>([:])

    func join(_ one: UInt64, _ other: UInt64) {
        pairs.withLock {
            $0[one] = other
            $0[other] = one
        }
    }

    func other(_ one: UInt64) -> UInt64 { pairs.withLock { $0[one] ?? 0 } }
}

/// What comes on a TLS port without being TLS, or not as it should (B188).
@Suite struct TLSTroubleTests {
    /// The first bytes of a handshake of TLS 1.2, cut off after `count`.
    private static func hello(_ count: Int) -> [UInt8] {
        Array([0x16, 3, 1, 0x01, 0x00, 1, 0, 0, 0xfc, 3, 3].prefix(count))
    }

    private static let garbage: [(name: String, bytes: [UInt8])] = {
        var random = SeededRandom(seed: 188)
        let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let oversized: [UInt8] = [0x16, 3, 3, 0xff, 0xff] + [UInt8](repeating: 1, count: 70_000)
        return [
            ("plain HTTP", Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)),
            ("an HTTP/2 preface", Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)),
            ("an SSH banner", Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)),
            ("random bytes", noise),
            ("zeroes", [UInt8](repeating: 0, count: 100_000)),
            ("an oversized record", oversized),
            (
                "an SSLv2 hello",
                [0x80, 0x2e, 1, 0, 2, 0, 0x15, 0, 0, 0, 0x10, 1, 0, 0x80]
                    + [UInt8](repeating: 7, count: 34)
            ),
            ("data before the handshake", [0x17, 3, 3, 0, 5, 1, 2, 3, 4, 5]),
            ("an alert", [0x15, 3, 3, 0, 2, 2, 40]),
            ("empty records", (0..<500).flatMap { _ -> [UInt8] in [0x16, 3, 3, 0, 0] }),
            ("a hello that is none", [0x16, 3, 1, 0, 5, 1, 0, 0, 1, 9]),
        ]
    }()

    @Test(arguments: garbage) func `garbage is closed and never told`(
        name: String, bytes: [UInt8]
    ) throws {
        let rig = try TLSRig()
        let peer = rig.server.peer()
        peer.send(bytes)
        peer.finishSending()
        let (count, ending) = peer.receiveAll()
        #expect(ending == .finished, "\(name)")
        // At most an alert.
        #expect(count <= 7, "\(name)")
        #expect(turnsUntilWoken(rig.server) < 20)
        #expect(rig.server.ask { $0.connectionCount } == 0)
        #expect(rig.server.ask { $0.counters.handshakesFailed } == 1, "\(name)")
        #expect(rig.server.log.all.allSatisfy { $0 == .woke }, "\(name)")
        _ = try rig.open()
    }

    @Test func `garbage that keeps its socket open is closed all the same`() throws {
        var limits = LoopLimits()
        limits.closeMilliseconds = 50
        let rig = try TLSRig(limits: limits)
        let peer = rig.server.peer()
        peer.send("GET / HTTP/1.1\r\n\r\n")
        #expect(peer.receiveAll().ending == .finished)
        #expect(turnsUntilWoken(rig.server) < 40)
        while rig.server.ask({ $0.connectionCount }) != 0 { _ = turnsUntilWoken(rig.server) }
    }

    @Test(arguments: [0, 1, 5, 11]) func `who does not finish the handshake is closed in time`(
        count: Int
    ) throws {
        var limits = LoopLimits()
        limits.handshakeMilliseconds = 100
        let rig = try TLSRig(limits: limits)
        let peer = rig.server.peer()
        peer.send(Self.hello(count))
        #expect(peer.receiveAll() == (0, .finished))
        #expect(rig.server.ask { $0.counters.handshakesOverdue } == 1)
        #expect(turnsUntilWoken(rig.server) < 20)
        #expect(rig.server.log.all.allSatisfy { $0 == .woke })
    }

    @Test func `a connection that is through the handshake has no such limit`() throws {
        var limits = LoopLimits()
        limits.handshakeMilliseconds = 500
        let rig = try TLSRig(limits: limits)
        let connection = try rig.open()
        for _ in 0..<10 { _ = turnsUntilWoken(rig.server) }
        rig.client.write(connection, [1])
        #expect(rig.client.log.received(connection, count: 1) == [1])
        #expect(rig.server.ask { $0.counters.handshakesOverdue } == 0)
    }

    @Test func `a client that waits for a silent server gives up`() throws {
        var limits = LoopLimits()
        limits.handshakeMilliseconds = 100
        let rig = try TLSRig(clientLimits: limits)
        let silent = try TestLoop()
        let connection = try rig.connect(port: silent.port)
        #expect(rig.outcome(connection) == .failed(connection, .timedOut))
    }

    @Test func `a client says so when the other end speaks no TLS`() throws {
        let rig = try TLSRig()
        let plain = try TestLoop(.echo)
        let refusal = rig.refusal(try rig.connect(port: plain.port))
        #expect(refusal.hasPrefix("the TLS handshake failed: "), "\(refusal)")
        let closing = try TestLoop(
            .init(accepted: { loop, connection in loop.close(connection, .afterFlush()) }))
        let connection = try rig.connect(port: closing.port)
        #expect(rig.outcome(connection) == .failed(connection, .handshakeCutOff))
    }

    @Test func `handshakes under way are given up when listening stops`() throws {
        let rig = try TLSRig()
        let connection = try rig.open()
        let peer = rig.server.peer()
        peer.send(Self.hello(11))
        while rig.server.ask({ $0.connectionCount }) != 2 { rig.server.settle() }
        rig.server.poster.post { $0.loop.stopListening() }
        #expect(peer.receiveAll().ending != .nothingInTime)
        #expect(rig.server.ask { $0.connectionCount } == 1)
        rig.client.write(connection, [5])
        #expect(rig.client.log.received(connection, count: 1) == [5])
    }

    @Test func `a record that was changed on its way ends the connection`() throws {
        let rig = try TLSRig()
        let isChanging = Flag()
        let target = rig.server.port
        let links = Links()
        let middle = try TestLoop(
            .init(
                accepted: { loop, connection in
                    loop.pauseReading(connection)
                    links.join(connection, loop.connect(host: "127.0.0.1", port: target))
                },
                connected: { loop, connection in loop.resumeReading(links.other(connection)) },
                received: { loop, connection, bytes in
                    if isChanging.load() { bytes[bytes.count - 1] ^= 1 }
                    loop.write(links.other(connection), UnsafeRawBufferPointer(bytes))
                }))
        let connection = try rig.open(port: middle.port)
        // The client is through first: its last word must pass unchanged.
        let served = try #require(rig.server.log.firstConnection())
        isChanging.store(true)
        rig.client.write(connection, [1, 2, 3])
        #expect(rig.server.log.reason(served) == .broken(code: EPROTO))
        #expect(rig.server.ask { $0.counters.recordsRefused } == 1)
        #expect(rig.server.log.receivedCount(served) == 0)
    }
}
