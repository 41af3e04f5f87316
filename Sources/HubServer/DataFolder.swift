public import Access
import Bytes
import Crypto
import Glibc

/// The folder that a hub keeps its data in: the database and the API key.
public struct DataFolder: Sendable {
    /// The folder's path.
    public let path: String

    /// Makes the folder if it is not there, for its owner's eyes only, and checks that files
    /// can be made in it.
    public init(path: String) throws(StartError) {
        self.path = path
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            let wayOut =
                switch errno {
                case ENOENT: "make the folder above it, or name another with --data"
                case ENOTDIR: "a part of this path is a file; name another with --data"
                default: "name another with --data"
                }
            throw Self.failure("data folder \(path) cannot be made", wayOut)
        }
        let probe = path + "/.probe"
        let descriptor = open(probe, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Self.failure(
                "data folder \(path) cannot be written to",
                errno == ENOTDIR
                    ? "it is a file; name a folder with --data"
                    : "give this user the right to, or name another with --data")
        }
        close(descriptor)
        unlink(probe)
    }

    /// The database's file.
    public var databasePath: String { path + "/heliograph.sqlite" }

    /// The API key's file.
    public var keyPath: String { path + "/api-key" }

    /// The key kept in the folder; made, and written with mode 600, if there is none.
    ///
    /// - Returns: the key, and whether it has just been made.
    public func apiKey() throws(StartError) -> (key: APIKey, isNew: Bool) {
        if let text = try readKey() {
            do throws(APIKeyError) {
                return (try APIKey(Text(text)), false)
            } catch {
                throw StartError(
                    "\(keyPath) holds no usable API key (\(error)); delete the file for a new one")
            }
        }
        let key = APIKey(randomBytes: SystemRandom().bytes(APIKey.randomByteCount))
        try write(key)
        return (key, true)
    }

    private func readKey() throws(StartError) -> String? {
        let descriptor = open(keyPath, O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else {
            throw Self.failure(
                "\(keyPath) cannot be read", "give this user the right to, or use --api-key")
        }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 1_024) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress, 1_024))
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.prefix { !$0.isNewline })
    }

    /// Writes the key beside its place and renames it, so that no crash leaves half a key.
    private func write(_ key: APIKey) throws(StartError) {
        let draft = keyPath + ".new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        var text = key.secret.string + "\n"
        let isWritten = text.withUTF8 { bytes in
            descriptor >= 0
                && Glibc.write(descriptor, bytes.baseAddress, bytes.count) == bytes.count
                && fsync(descriptor) == 0
        }
        let code = errno
        if descriptor >= 0 { close(descriptor) }
        guard isWritten, rename(draft, keyPath) == 0 else {
            errno = isWritten ? errno : code
            throw Self.failure("\(keyPath) cannot be written", "make room, or use --api-key")
        }
    }

    private static func failure(_ what: String, _ wayOut: String) -> StartError {
        StartError("\(what): \(String(cString: strerror(errno))) (\(wayOut))")
    }
}
