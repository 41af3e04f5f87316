import Glibc

/// A folder of its own for one test, removed with it.
final class TemporaryFolder {
    let path: String

    struct Failure: Error {
        var number: Int32
    }

    init() throws {
        // In memory where there is such a place: syncing a disk thousands of times takes minutes.
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var name = Array("\(parent)/heliograph-store-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw Failure(number: errno) }
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        for name in names { unlink(path + "/" + name) }
        rmdir(path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// The names of the files in the folder.
    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var result: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { result.append(name) }
        }
        return result.sorted()
    }

    func read(_ name: String) -> [UInt8] {
        guard let stream = fopen(file(name), "rb") else { return [] }
        defer { fclose(stream) }
        var result: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&piece, 1, piece.count, stream)
            if count == 0 { return result }
            result += piece[..<count]
        }
    }

    func write(_ name: String, _ bytes: [UInt8]) {
        guard let stream = fopen(file(name), "wb") else { return }
        fwrite(bytes, 1, bytes.count, stream)
        fclose(stream)
    }
}
