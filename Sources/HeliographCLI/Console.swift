import Glibc

/// The terminal: standard output for what a program reads, standard error for people.
enum Console {
    /// Writes one line to standard output at once, unbuffered, so that a pipe sees it.
    static func out(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    /// Writes one line to standard error.
    static func err(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    /// Rewrites the current line of a terminal on standard error; silent if it is none.
    static func progress(_ line: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        write("\r\u{1b}[2K" + line, to: STDERR_FILENO)
    }

    /// Ends a line of progress.
    static func endProgress() {
        guard isatty(STDERR_FILENO) == 1 else { return }
        write("\r\u{1b}[2K", to: STDERR_FILENO)
    }

    /// Bytes to standard output as they are.
    static func out(bytes: [UInt8]) {
        bytes.withUnsafeBytes { _ = write($0, to: STDOUT_FILENO) }
    }

    /// Writes one JSON text as one line to standard output, in one call, so that lines of several
    /// programs do not mix. Returns false if nobody reads it any more.
    static func out(line json: UnsafeRawBufferPointer) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: json.count + 1, alignment: 1) { line in
            for (index, byte) in json.enumerated() {
                // Line ends in JSON stand between values only (RFC 8259 §7): a blank will do.
                line[index] = byte == 0x0a || byte == 0x0d ? 0x20 : byte
            }
            line[json.count] = 0x0a
            return write(UnsafeRawBufferPointer(line), to: STDOUT_FILENO)
        }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { _ = write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    /// Returns false if the bytes could not be written.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if written < 0 {
                // The reader has gone or the disk is full: nobody is left to be told.
                if errno == EINTR { continue }
                return false
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
        return true
    }
}

/// How a run ends, in numbers that scripts can tell apart.
enum ExitCode: Int32 {
    /// All went well.
    case success = 0
    /// The command ran and its answer is no: errors of a checked schema, GraphQL errors, lost
    /// deliveries.
    case failure = 1
    /// The command line is wrong.
    case usage = 2
    /// The server could not start: port, data folder, schema file.
    case cannotStart = 3
    /// The hub could not be reached, refused the credentials, or went away.
    case unreachable = 4
}

/// Ends the command with a message for people and a number for scripts.
struct CommandFailure: Error {
    var code: ExitCode
    var message: String

    static func usage(_ message: String) -> CommandFailure {
        CommandFailure(code: .usage, message: message)
    }
}

/// A file's whole content.
func contents(
    of path: String, bytesMax: Int, orElse code: ExitCode = .cannotStart
) throws(CommandFailure) -> [UInt8] {
    func failed(_ what: String) -> CommandFailure {
        CommandFailure(code: code, message: "\(path) \(what)")
    }
    func failedBySystem() -> CommandFailure {
        failed("cannot be read: \(String(cString: strerror(errno)))")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failedBySystem() }
    defer { Glibc.close(descriptor) }
    var bytes: [UInt8] = []
    while true {
        var answer = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            answer = read(descriptor, buffer.baseAddress, 65_536)
            count = max(0, answer)
        }
        if answer < 0 {
            if errno == EINTR { continue }
            throw failedBySystem()
        }
        if chunk.isEmpty { return bytes }
        bytes += chunk
        if bytes.count > bytesMax {
            throw failed("is larger than the limit of \(bytesMax) bytes")
        }
    }
}
