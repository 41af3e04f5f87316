import Bytes
import HTTP1
import HubClient
import Loop
import Subprotocol
import Testing

/// Counts what a crowd of clients is told; confined to their loop.
private final class Crowd {
    var readyCount = 0
    var resultCount = 0
    var endedCount = 0
}

/// A hub that answers each subscription with two results and keeps it open.
private final class TwoResultHub: LoopHandler {
    private let loop: EventLoop
    private var servers: [UInt64: FakeServer] = [:]

    init(_ loop: EventLoop) { self.loop = loop }

    func accepted(_ connection: UInt64, peer: PeerAddress) { servers[connection] = FakeServer() }

    func received(_ connection: UInt64, _ bytes: UnsafeMutableRawBufferPointer) {
        guard var server = servers[connection] else { return }
        server.receive(Array(bytes))
        for case .subscribe(let id, _) in server.received {
            for count in 1...2 {
                server.say(.next(id: id, payload: json("{\"data\":\(count)}")))
            }
        }
        server.received = []
        loop.write(connection, server.output)
        server.output.removeAll()
        servers[connection] = server
    }

    func closed(_ connection: UInt64, _ reason: CloseReason) { servers[connection] = nil }
}

struct ClientDriverTests {
    @Test(.timeLimit(.minutes(1)))
    func `a crowd of clients on one loop gets its results and may leave in its handlers`()
        async throws
    {
        var port: UInt16 = 0
        let hub = try EventLoop.start(name: "hub") { loop throws(LoopError) in
            port = try loop.listen(host: "127.0.0.1", port: 0)
            return TwoResultHub(loop)
        }
        let loop = try EventLoop.start(name: "clients") { ClientDriver($0) }
        defer {
            loop.stop()
            hub.stop()
        }
        let configuration = ClientConfiguration(
            endpoint: Endpoint(host: "127.0.0.1", port: port))
        let (results, left) = await withCheckedContinuation { continuation in
            loop.post { driver in
                let crowd = Crowd()
                for _ in 0..<100 {
                    let client = driver.add(configuration) { client, event in
                        switch event {
                        case .ready:
                            crowd.readyCount += 1
                            _ = try? client.start(
                                OperationRequest(query: "subscription {a}"), kind: .subscription)
                        case .next:
                            crowd.resultCount += 1
                            if client.number % 2 == 0 { client.close() }
                        case .gaveUp: crowd.endedCount += 1
                        default: break
                        }
                        // Half of them leave at their first result, the others take both.
                        if crowd.endedCount == 50, crowd.resultCount == 150 {
                            continuation.resume(
                                returning: (crowd.resultCount, client.driver?.clientCount ?? 0))
                            crowd.endedCount += 1
                        }
                    }
                    client.connect()
                }
            }
        }
        #expect(results == 150)
        #expect(left == 50 || left == 51)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a client that was removed refuses operations`() async throws {
        let loop = try EventLoop.start(name: "clients") { ClientDriver($0) }
        defer { loop.stop() }
        let configuration = ClientConfiguration(endpoint: Endpoint(host: "127.0.0.1", port: 9))
        let isRefused = await withCheckedContinuation { continuation in
            loop.post { driver in
                let client = driver.add(configuration) { _, _ in }
                client.close()
                client.connect()
                do throws(ClientError) {
                    _ = try client.start(OperationRequest(query: "{a}"), kind: .query)
                    continuation.resume(returning: false)
                } catch {
                    continuation.resume(
                        returning: error == .closedHere && driver.client(client.number) == nil)
                }
            }
        }
        #expect(isRefused)
    }
}
