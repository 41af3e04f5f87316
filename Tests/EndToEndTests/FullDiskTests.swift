import Foundation
import Testing

/// A data folder without room: writes are refused with the way out, all else goes on.
@Suite(.serialized) struct FullDiskTests {
    private static let name = String(repeating: "a", count: 60_000)

    /// Writes until one is refused; returns how many were not, and the refusal.
    private func fill(_ hub: RunningHub) throws -> (count: Int, message: String) {
        for number in 1...200 {
            let answer = try hub.createUserAnswer("u\(number)", name: Self.name)
            let message = try answer.firstError()
            if !message.isEmpty { return (number - 1, message) }
        }
        throw ProgramFailure("200 writes of 60,000 bytes did not fill the data folder")
    }

    private func ids(_ count: Int) -> [String] { (1...count).map { "u\($0)" }.sorted() }

    /// A file system of its own, which only root may mount, and not in every container.
    private static let canMount = (try? withSmallDisk { _ in true }) ?? false

    private static func withSmallDisk<R>(_ body: (URL) throws -> R) throws -> R {
        try withTemporaryFolder { folder in
            let mount = try Program(
                "/usr/bin/env", ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", folder.path])
            guard try mount.waitForExit() == 0 else { throw ProgramFailure(mount.standardError) }
            defer {
                let unmount = try? Program("/usr/bin/env", ["umount", folder.path])
                _ = try? unmount?.waitForExit()  // What stays mounted fails the folder's removal.
            }
            return try body(folder)
        }
    }

    @Test(.enabled(if: canMount)) func `a full disk refuses writes until it has room`() throws {
        try Self.withSmallDisk { disk in
            let ballast = disk.file("ballast")
            try Data(count: 4_000_000).write(to: URL(fileURLWithPath: ballast))
            let data = disk.file("data")
            let options = ["--data", data, "--api-key", testKey]
            let hub = try RunningHub(options)
            let (count, message) = try fill(hub)
            #expect(
                message == "the data file cannot be written: the disk is full: free space on it; "
                    + "the next request is tried by itself")
            #expect(try hub.userIDs() == ids(count))
            #expect(try hub.createUserAnswer("again", name: Self.name).firstError() == message)
            try FileManager.default.removeItem(atPath: ballast)
            try hub.createUser("z", name: Self.name)
            try hub.stop()
            // The operator is told once of the trouble, with the file, and once of its end.
            let operatorMessage = message.replacingOccurrences(
                of: "data file", with: "data file \(data)/heliograph.sqlite")
            let told = hub.program.standardError.split(separator: "\n")
                .filter { $0.hasPrefix("heliograph: ") }
            #expect(
                told == [
                    "heliograph: \(operatorMessage)",
                    "heliograph: the store takes writes again",
                ])

            let again = try RunningHub(options)
            #expect(try again.userIDs() == ids(count) + ["z"])
            try again.stop()
        }
    }

    @Test(.enabled(if: canMount)) func `a hub does not start on a full disk, and says why`() throws
    {
        try Self.withSmallDisk { disk in
            // Fills what is there, and fails in doing so.
            try? Data(count: 7_000_000).write(to: URL(fileURLWithPath: disk.file("ballast")))
            let outcome = try heliograph(
                "serve", exampleSchema, "--port", "0", "--data", disk.file("data"))
            #expect(outcome.code == 3)
            #expect(outcome.errors.contains("No space left on device (make room, "))
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
    }

    @Test func `a limit of file sizes refuses writes and ends nothing`() throws {
        try withTemporaryFolder { folder in
            let options = ["--data", folder.path, "--api-key", testKey]
            // The shell counts in KiB.
            let hub = try RunningHub(
                options, launcher: ["/bin/bash", "-c", "ulimit -f 1024; exec \"$@\"", "bash"])
            let (count, message) = try fill(hub)
            #expect(count > 0)
            #expect(message.hasPrefix("the data file cannot be written: the operating system"))
            #expect(message.contains("check the disk and this process's limit of file sizes"))
            #expect(try hub.userIDs() == ids(count))
            try hub.stop()

            let roomy = try RunningHub(options)
            try roomy.createUser("z", name: Self.name)
            #expect(try roomy.userIDs() == ids(count) + ["z"])
            try roomy.stop()
        }
    }
}
