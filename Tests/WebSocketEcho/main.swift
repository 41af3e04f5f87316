import Dispatch
import Glibc
import Loop
import Synchronization

// The hub's own WebSocket for conformance suites: an echo server, or a client of one that tests
// clients.

/// Writes a line to a descriptor: without Swift's buffer, a reader behind a pipe has it at once.
@Sendable nonisolated func say(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    let line = text + "\n"
    _ = line.utf8.withContiguousStorageIfAvailable { write(descriptor, $0.baseAddress, $0.count) }
}

/// Ends the process with a message.
@Sendable nonisolated func fail(_ code: Int32, _ message: String) -> Never {
    say("websocket-echo: \(message)", to: STDERR_FILENO)
    exit(code)
}

var limits = LoopLimits()
// The longest answer is a message of 16 MiB with its head.
limits.backlogBytesMax = 64 * 1024 * 1024
do throws(EchoOptions.Fault) {
    switch try EchoOptions.read(Array(CommandLine.arguments.dropFirst())) {
    case .help:
        say(EchoOptions.usage)
        exit(0)
    case .server(let wanted, let identity):
        let port = Atomic<UInt16>(0)
        do throws(LoopError) {
            _ = try EventLoop.start(name: "echo", limits: limits) { loop throws(LoopError) in
                let server = EchoServer(loop)
                let found = try loop.listen(host: "127.0.0.1", port: wanted, tls: identity)
                port.store(found, ordering: .releasing)
                return server
            }
        } catch {
            fail(3, error.description)
        }
        let scheme = identity == nil ? "ws" : "wss"
        say("listening \(scheme)://127.0.0.1:\(port.load(ordering: .acquiring))/")
    case .client(let server):
        do throws(LoopError) {
            _ = try EventLoop.start(name: "echo", limits: limits) { loop in
                EchoClient(loop, server) { fault in
                    guard let fault else { exit(0) }
                    fail(4, fault)
                }
            }
        } catch {
            fail(4, error.description)
        }
    }
} catch {
    say("websocket-echo: \(error.message)\n\n\(EchoOptions.usage)", to: STDERR_FILENO)
    exit(2)
}
dispatchMain()
