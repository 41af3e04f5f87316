import Dispatch
import Glibc
import Loop
import Synchronization

// A server for WebSocket conformance suites: `websocket-echo [--port N]`.

/// Writes a line to a descriptor: without Swift's buffer, a reader behind a pipe has it at once.
func say(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
    let line = text + "\n"
    _ = line.utf8.withContiguousStorageIfAvailable { write(descriptor, $0.baseAddress, $0.count) }
}

let given = Array(CommandLine.arguments.dropFirst())
let wanted: UInt16? =
    switch given.count {
    case 0: 0
    case 2 where given[0] == "--port": UInt16(given[1])
    default: nil
    }
guard let wanted else {
    say("usage: websocket-echo [--port N]", to: STDERR_FILENO)
    exit(2)
}

let port = Atomic<UInt16>(0)
var limits = LoopLimits()
// The longest answer is a message of 16 MiB with its head.
limits.backlogBytesMax = 64 * 1024 * 1024
do throws(LoopError) {
    _ = try EventLoop.start(name: "echo", limits: limits) { loop throws(LoopError) in
        let server = EchoServer(loop)
        port.store(try loop.listen(host: "127.0.0.1", port: wanted), ordering: .releasing)
        return server
    }
} catch {
    say(error.description, to: STDERR_FILENO)
    exit(1)
}
say("listening ws://127.0.0.1:\(port.load(ordering: .acquiring))/")
dispatchMain()
