/// Each room imports only what stands in its line of the table; arrows go down only.
///
/// SwiftPM alone does not hold this wall: a module that another target happens to build can be
/// imported without being named as a dependency.
enum ImportRule {
    /// A module named by an `import` declaration.
    struct Import {
        var module: String
        var line: Int
        var isReexported: Bool
    }

    /// Every import of the file, whatever stands before or behind the keyword.
    static func imports(of source: SwiftSource) -> [Import] {
        let kinds: Set = [
            "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor",
        ]
        return source.words.indices.compactMap { index in
            guard source.words[index].text == "import" else { return nil }
            var name = index + 1
            if name < source.words.count, kinds.contains(source.words[name].text) { name += 1 }
            guard name < source.words.count else { return nil }
            let word = source.words[index]
            let earlier = source.words[..<index].suffix(3).filter { $0.line == word.line }
            return Import(
                module: source.words[name].text, line: word.line,
                isReexported: earlier.contains { $0.text == "_exported" })
        }
    }

    /// What a room's file imports beyond its line of the table.
    static func violations(in source: SwiftSource, of room: Room) -> [Violation] {
        check(source, allowed: room.rooms.union(room.modules)) { module in
            if HousePlan.shims.contains(module) {
                let owners = HousePlan.rooms.filter { $0.modules.contains(module) }.map(\.name)
                return "go through \(owners.joined(separator: " or ")), the owner of this C shim"
            }
            if HousePlan.roomsByName[module] != nil {
                return "move the code to a room that may, or redraw the wall in Package.swift, "
                    + "HousePlan and ARCHITECTURE.md"
            }
            return "let the room be told what it wants to know from there"
        }
    }

    /// What a test's file imports beyond its target's dependencies.
    static func violations(in source: SwiftSource, ofTestWith dependencies: Set<String>)
        -> [Violation]
    {
        check(source, allowed: dependencies.union(HousePlan.testModules)) { module in
            HousePlan.shims.contains(module)
                ? "test through the room that owns the shim"
                : "name it among the test target's dependencies in Package.swift"
        }
    }

    private static func check(
        _ source: SwiftSource, allowed: Set<String>, instead: (String) -> String
    ) -> [Violation] {
        imports(of: source).compactMap { found in
            if found.isReexported {
                return Violation(
                    path: source.path, line: found.line,
                    rule: "\(source.target) exports \(found.module) again",
                    instead: "let each room import what it uses, or the walls leak")
            }
            guard !allowed.contains(found.module) else { return nil }
            return Violation(
                path: source.path, line: found.line,
                rule: "\(source.target) may not import \(found.module)",
                instead: instead(found.module))
        }
    }
}
