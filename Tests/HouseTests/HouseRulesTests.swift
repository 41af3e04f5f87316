import Foundation
import Testing

/// The whole repository against the rules of the house.
@Suite struct HouseRulesTests {
    private static let repository = Repository()
    private static let sources = repository.sources(below: "Sources")
    private static let tests = repository.sources(below: "Tests")
    private static let examples = repository.sources(below: "Examples")
    private static let manifest = Manifest(
        SwiftSource(
            path: "Package.swift", target: "", bytes: repository.bytes(of: "Package.swift") ?? []))

    private func expectNone(_ violations: [Violation]) {
        for violation in violations { Issue.record("\(violation)") }
    }

    @Test func `each room imports only what its line of the table allows`() {
        #expect(!Self.sources.isEmpty)
        expectNone(
            Self.sources.flatMap { source in
                let room = HousePlan.roomsByName[source.target] ?? Room(name: source.target)
                return ImportRule.violations(in: source, of: room)
            })
    }

    @Test func `examples and tests import only what their targets depend on`() {
        let targets = Self.manifest.targets
        func dependencies(_ source: SwiftSource) -> Set<String> {
            targets.first { source.path.hasPrefix($0.path + "/") }?.dependencies ?? []
        }
        expectNone(
            (Self.examples + Self.tests).flatMap { source in
                ImportRule.violations(in: source, ofTestWith: dependencies(source))
            })
    }

    @Test func `the rooms that are told use nothing that asks the world`() {
        let byRoom = Dictionary(grouping: Self.sources, by: \.target)
        for room in HousePlan.rooms where room.isTold {
            let files = byRoom[room.name] ?? []
            let own = files.reduce(into: Set<String>()) { $0.formUnion($1.declaredFunctions) }
            expectNone(files.flatMap { ToldRule.violations(in: $0, ownFunctions: own) })
        }
    }

    @Test func `no file is too long, too wide, unfinished or at home on one machine`() {
        let folders = ["Sources", "Tests", "Examples", "deploy", "docs", ".ci", "bench"]
        let names = ["Package.swift", "Makefile", "README.md", "CHANGELOG.md", "ARCHITECTURE.md"]
        let suffixes = [".swift", ".c", ".h", ".md", ".py", ".js", ".sh", ".graphql", ".html"]
        let files = folders.flatMap { Self.repository.files(below: $0) }.filter { path in
            let name = path.split(separator: "/").last ?? ""
            return !name.contains(".") || suffixes.contains { path.hasSuffix($0) }
        }
        expectNone(
            (names + files).flatMap { path in
                TextRule.violations(path: path, bytes: Self.repository.bytes(of: path) ?? [])
            })
    }

    @Test func `the manifest, the plan and the folders agree`() {
        #expect(Self.manifest.targets.count > 20)
        expectNone(ManifestRule.violations(Self.manifest))
        expectNone(ManifestRule.folderViolations(Self.manifest, Self.repository))
        expectNone(ManifestRule.strayTests(Self.manifest))
    }

    @Test(arguments: HousePlan.rooms.map(\.name))
    func `each room has a front page of one screen`(room: String) {
        let folder = Self.repository.isFolder("Sources/\(room)") ? "Sources/\(room)" : nil
        guard let folder else { return }  // An example has its README.
        let page = Self.repository.bytes(of: "\(folder)/\(room).docc/\(room).md") ?? []
        #expect(page.starts(with: "# ``\(room)``\n".utf8))
        #expect(page.count { $0 == 0x0a } <= 60)
    }

    @Test func `arrows of the plan go down only`() {
        var below: Set<String> = []
        for room in HousePlan.rooms {
            let up = room.rooms.subtracting(below)
            #expect(up.isEmpty, "\(room.name) leans on \(up.sorted()), which stand higher")
            below.insert(room.name)
        }
    }
}
