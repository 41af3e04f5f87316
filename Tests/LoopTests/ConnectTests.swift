import Bytes
import Loop
import Testing

@Suite struct ConnectTests {
    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a loop connects to a loop`(host: String) throws {
        let server = try TestLoop(.echo)
        let client = try TestLoop()
        let port = server.port
        let connection = client.ask { $0.connect(host: host, port: port) } ?? 0
        #expect(client.log.wait(for: .connected(connection)))
        client.write(connection, Array("hello".utf8))
        #expect(client.log.wait { _ in client.log.receivedCount(connection) == 5 })
        _ = client.ask { $0.close(connection, .afterFlush()) }
        #expect(client.log.reason(connection) == .closedHere)
        let accepted = try #require(server.log.firstConnection())
        #expect(server.log.reason(accepted) == .closedByPeer)
    }

    @Test func `a refused connection is told as failed and as nothing else`() throws {
        let loop = try TestLoop()
        let gone = try TestLoop()
        let port = gone.port
        _ = gone.ask { $0.stopListening() }
        let connection = loop.ask { $0.connect(host: "127.0.0.1", port: port) } ?? 0
        #expect(loop.log.wait(for: .failed(connection, .connectionRefused)))
        #expect(loop.ask { $0.connectionCount } == 0)
        #expect(loop.log.all.count == 1)
    }

    @Test func `a name without an address is told with the resolver's reason`() throws {
        let loop = try TestLoop()
        let connection = loop.ask { $0.connect(host: "no.such.host.invalid", port: 80) } ?? 0
        #expect(
            loop.log.wait { events in
                events.contains { event in
                    guard case .failed(connection, .unknownHost(let host, let reason)) = event
                    else { return false }
                    return host == "no.such.host.invalid" && !reason.isEmpty
                }
            })
        #expect(loop.ask { $0.connectionCount } == 0)
    }

    @Test func `closing a connection on its way tells its end and no opening`() throws {
        let loop = try TestLoop()
        // A name that is being looked up, and an address that no one answers for.
        let connections =
            loop.ask { loop -> [UInt64] in
                let named = loop.connect(host: "localhost", port: 1)
                let silent = loop.connect(host: "192.0.2.1", port: 9)
                loop.close(named, .atOnce)
                loop.close(silent, .afterFlush())
                return [named, silent]
            } ?? []
        #expect(loop.log.reason(connections[0]) == .closedHere)
        #expect(
            loop.log.wait { events in
                events.contains { event in
                    switch event {
                    case .closed(connections[1], .closedHere), .failed(connections[1], _): true
                    default: false
                    }
                }
            })
        #expect(loop.ask { $0.connectionCount } == 0)
    }

    @Test func `an outgoing connection over the limit fails with the limit named`() throws {
        var limits = LoopLimits()
        limits.connectionsMax = 0
        let loop = try TestLoop(.init(), limits)
        let connection = loop.ask { $0.connect(host: "127.0.0.1", port: 1) } ?? 0
        #expect(loop.log.wait(for: .failed(connection, .tooManyConnections(limit: 0))))
        #expect("\(LoopError.tooManyConnections(limit: 0))".contains("limit of 0 connections"))
    }
}
