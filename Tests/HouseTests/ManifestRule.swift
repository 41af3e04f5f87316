/// `Package.swift`, the house plan and the folders tell the same story.
enum ManifestRule {
    /// What the manifest and the plan disagree about.
    static func violations(_ manifest: Manifest) -> [Violation] {
        func violation(_ line: Int, _ rule: String, _ instead: String) -> Violation {
            Violation(path: manifest.path, line: line, rule: rule, instead: instead)
        }
        var found: [Violation] = []
        for target in manifest.targets where !target.isTest && !isHelper(target) {
            guard let room = HousePlan.roomsByName[target.name] else {
                found.append(
                    violation(
                        target.line, "\(target.name) stands in no line of the house plan",
                        "add its room to HousePlan and to the table in ARCHITECTURE.md"))
                continue
            }
            let extra = target.dependencies.subtracting(room.rooms).subtracting(room.modules)
            for name in extra.sorted() {
                found.append(
                    violation(
                        target.line, "\(target.name) may not depend on \(name)",
                        "move the code, or redraw the wall in HousePlan and ARCHITECTURE.md"))
            }
        }
        let names = Set(manifest.targets.map(\.name))
        for room in HousePlan.rooms where !names.contains(room.name) {
            found.append(
                violation(
                    1, "the planned room \(room.name) is no target", "take it out of HousePlan"))
        }
        return found
            + testlessRooms(names).map {
                violation(
                    1, "\($0) has no tests", "add \($0)Tests, or say in HousePlan who tests it")
            }
    }

    /// Targets without a folder, and folders without a target.
    static func folderViolations(_ manifest: Manifest, _ repository: Repository) -> [Violation] {
        var found: [Violation] = []
        for target in manifest.targets where !repository.isFolder(target.path) {
            found.append(
                Violation(
                    path: manifest.path, line: target.line,
                    rule: "\(target.name) has no folder \(target.path)",
                    instead: "create it or take the target out"))
        }
        let paths = Set(manifest.targets.map(\.path)).union(HousePlan.otherFolders.keys)
        for folder in ["Sources", "Tests"] {
            for name in repository.folders(in: folder) where !paths.contains("\(folder)/\(name)") {
                found.append(
                    Violation(
                        path: "\(folder)/\(name)", line: 1, rule: "a folder that is no target",
                        instead: "name it in Package.swift or HousePlan.otherFolders"))
            }
        }
        return found
    }

    /// Test targets that mirror no room and are not among the known others.
    static func strayTests(_ manifest: Manifest) -> [Violation] {
        manifest.targets.filter { target in
            target.path.hasPrefix("Tests/")
                && !HousePlan.testsWithoutRoom.contains(target.name)
                && HousePlan.roomsByName[String(target.name.dropLast("Tests".count))] == nil
        }
        .map {
            Violation(
                path: manifest.path, line: $0.line, rule: "\($0.name) mirrors no room",
                instead: "name it after its room, or add it to HousePlan.testsWithoutRoom")
        }
    }

    private static func isHelper(_ target: Manifest.Target) -> Bool {
        HousePlan.shims.contains(target.name) || target.path.hasPrefix("Tests/")
    }

    private static func testlessRooms(_ targets: Set<String>) -> [String] {
        HousePlan.rooms
            .filter { $0.testedElsewhere == nil && !targets.contains("\($0.name)Tests") }
            .map(\.name)
    }
}
