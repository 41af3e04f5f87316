import Foundation

/// The files of the repository that this test was built from.
struct Repository: Sendable {
    /// The package's root folder.
    let root: URL

    /// Found from this file's own place: `Tests/HouseTests/Repository.swift`.
    init(file: String = #filePath) {
        root = URL(fileURLWithPath: file).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
    }

    /// The paths of all files below a folder, relative to the root, in order.
    func files(below folder: String) -> [String] {
        guard
            let walk = FileManager.default.enumerator(
                atPath: root.appendingPathComponent(folder).path)
        else { return [] }
        let paths = walk.compactMap { $0 as? String }
        return paths.filter { path in
            path.split(separator: "/").allSatisfy { !$0.hasPrefix(".") && !$0.hasPrefix("__") }
        }
        .map { "\(folder)/\($0)" }.filter { !isFolder($0) }.sorted()
    }

    /// The names of the folders in a folder, in order.
    func folders(in folder: String) -> [String] {
        let names =
            (try? FileManager.default.contentsOfDirectory(
                atPath: root.appendingPathComponent(folder).path)) ?? []
        return names.filter { !$0.hasPrefix(".") && isFolder("\(folder)/\($0)") }.sorted()
    }

    /// Whether there is a folder of that path.
    func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let place = root.appendingPathComponent(path).path
        return FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    /// A file's bytes, or nil if there is no such file.
    func bytes(of path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: root.appendingPathComponent(path).path).map(Array.init)
    }

    /// Every Swift file under `Sources/` or another folder of targets, masked and cut.
    func sources(below folder: String) -> [SwiftSource] {
        files(below: folder).filter { $0.hasSuffix(".swift") }.map { path in
            SwiftSource(
                path: path, target: String(path.split(separator: "/")[1]),
                bytes: bytes(of: path) ?? [])
        }
    }
}
