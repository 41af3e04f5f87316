import Dispatch
import Glibc
import Loop
import Testing

@Suite struct SignalTests {
    @Test func `signals are told as calls and do not end the process`() async {
        // In a process of its own, because signals belong to the whole process.
        await #expect(processExitsWith: .exitCode(7)) {
            let told = DispatchSemaphore(value: 0)
            let terminated = Flag()
            let watch = SignalWatch([.terminate, .hangUp], on: DispatchQueue(label: "signals")) {
                if $0 == .terminate { terminated.store(true) }
                told.signal()
            }
            ignoreBrokenPipes()
            kill(getpid(), SIGPIPE)
            kill(getpid(), SIGHUP)
            try #require(told.wait(timeout: .now() + 60) == .success)
            try #require(!terminated.load())
            kill(getpid(), SIGTERM)
            try #require(told.wait(timeout: .now() + 60) == .success)
            try #require(terminated.load())
            withExtendedLifetime(watch) {}
            exit(7)
        }
    }
}
