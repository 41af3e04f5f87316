import Testing

/// The checker itself: it must see what is forbidden, and only that.
@Suite struct CheckerTests {
    private func words(_ text: String) -> [String] { SwiftSource(text).words.map(\.text) }

    private func told(_ text: String, ownFunctions: Set<String> = []) -> [Int] {
        ToldRule.violations(in: SwiftSource(text), ownFunctions: ownFunctions).map(\.line)
    }

    @Test func `comments, strings and raw identifiers are no code`() {
        #expect(words("a // Task\nb /* Task /* Task */ Task */ c") == ["a", "b", "c"])
        #expect(words(#"let s = "Task \" Task"; b"#) == ["let", "s", "b"])
        #expect(words("let s = \"\"\"\n  Task \"quoted\" Task\n  \"\"\"\nb") == ["let", "s", "b"])
        #expect(words(##"let s = #"Task " \n Task"#; b"##) == ["let", "s", "b"])
        #expect(words("func `a Task sleeps`() {}") == ["func"])
        #expect(words("let s = \"never closed\nb") == ["let", "s", "b"])
    }

    @Test func `code inside an interpolation is code`() {
        #expect(words(#"f("a \(now(Task("b"))) c") d"#) == ["f", "now", "Task", "d"])
        #expect(words(##"#"a \(b) \#(Task) c"# d"##) == ["Task", "d"])
    }

    @Test func `every way to write an import is seen`() {
        let text = """
            import A
            public import B
            @testable import C
            @preconcurrency public import struct D.Thing
            internal import E.F
            // import G
            let text = "import H"
            """
        #expect(
            ImportRule.imports(of: SwiftSource(text)).map(\.module) == ["A", "B", "C", "D", "E"])
        #expect(ImportRule.imports(of: SwiftSource(text)).map(\.line) == [1, 2, 3, 4, 5])
    }

    @Test func `an import beyond the table is told with its line and a way out`() {
        let room = Room(name: "Sample", rooms: ["Bytes"], modules: ["Glibc"])
        let text = "import Bytes\nimport Glibc\nimport Foundation\nimport CSQLite\nimport Hub\n"
        let found = ImportRule.violations(in: SwiftSource(text), of: room)
        #expect(found.map(\.line) == [3, 4, 5])
        #expect(
            found[0].description.hasPrefix("Sample.swift:3: Sample may not import Foundation; "))
        #expect(found[1].instead.contains("SQLiteStore"))
        let leak = ImportRule.violations(in: SwiftSource("@_exported import Bytes"), of: room)
        #expect(leak.count == 1)
    }

    @Test(arguments: [
        "let t = Task { }", "Task.detached { }", "func f() async {}", "await f()",
        "usleep(1)", "let c = ContinuousClock()", "SuspendingClock.now", "let d = Date()",
        "clock_gettime(CLOCK_MONOTONIC, &t)", "gettimeofday(&t, nil)", "time(nil)",
        "Thread.sleep(forTimeInterval: 1)", "pthread_mutex_lock(&m)", "let m = Mutex(0)",
        "let a = Atomic<Int>(0)", "let fd = socket(AF_INET, 1, 0)", "send(fd, p, n, 0)",
        "recv(fd, p, n, 0)", "var g = SystemRandomNumberGenerator()", "Int.random(in: 0..<9)",
        "items.shuffled()", "items.randomElement()", "arc4random_uniform(9)", "let u = UUID()",
        "Int.random(in: 0..<pick(using: x))", "print(\"x\")", "debugPrint(x)",
        "let fd = open(path, O_RDONLY)", "fopen(path, mode)", "FileManager.default",
        "let s = \"\\(Date())\"",
    ])
    func `a forbidden thing is seen`(text: String) {
        #expect(Set(told("let fine = 1\n" + text)) == [2], "\(text)")
    }

    @Test(arguments: [
        "// Task, async, sleep(1)", "let s = \"print(1) Date()\"", "outlet.send(bytes)",
        "func send(_ bytes: Bytes) {}", "Int.random(in: 0..<9, using: &random)",
        "items.shuffled(using: &random)", "let time = 1", "let open = [1]; use(open)",
        "self.print(1)", "case date(Date)", "case socket(Socket)", "let random = generator.random",
        "struct TaskName {}", "let asyncronous = 1", "func `a Task sleeps`() {}",
        "items.shuffled(\n    using: &random)", "queue.connect (1)",
    ])
    func `a namesake is let pass`(text: String) {
        #expect(told(text) == [], "\(text)")
    }

    @Test func `a room's own function is not the system's of that name`() {
        #expect(told("func f() { send(bytes) }") == [1])
        #expect(told("func f() { send(bytes) }", ownFunctions: ["send"]) == [])
        #expect(
            SwiftSource("func send(_ a: A) {}\nfunc f() {}").declaredFunctions == ["send", "f"])
    }

    private func text(_ text: String, path: String = "a.swift", longFiles: [String: Int] = [:])
        -> [Int]
    {
        TextRule.violations(path: path, bytes: Array(text.utf8), longFiles: longFiles).map(\.line)
    }

    @Test func `marks and machine paths are seen in comments and strings too`() {
        #expect(text("a\n// TO" + "DO: b\n") == [2])
        #expect(text("\"FIX" + "ME\"") == [1])
        #expect(text("XX" + "X") == [1])
        #expect(text("a\n\nlet p = \"/ho" + "me/me/x\"") == [3])
        #expect(text("cd /ro" + "ot/x", path: "Makefile") == [1])
        #expect(text("TODOS todo FIXMEs XXXL aXXX https://example.com/home/x ./work/x") == [])
    }

    @Test func `long lines and long files are seen, columns counted as characters`() {
        #expect(text(String(repeating: "é", count: 100)) == [])
        #expect(text("a\n" + String(repeating: "é", count: 101)) == [2])
        #expect(text(String(repeating: "a", count: 101), path: "a.md") == [])
        let sample = "#expect(answer == \"" + String(repeating: "a", count: 99) + "\")"
        #expect(text(sample) == [1])
        #expect(text(sample, path: "Tests/a.swift") == [])
        #expect(text(sample + ".x(\"a\")", path: "Tests/a.swift") == [1])
        #expect(text("// " + sample, path: "Tests/a.swift") == [1])
        let long = String(repeating: "a\n", count: 601)
        #expect(text(long) == [601])
        #expect(text(String(long.dropLast(2))) == [])
        #expect(text(long, longFiles: ["a.swift": 601]) == [])
        #expect(text(long + "a\n", longFiles: ["a.swift": 601]) == [602])
    }

    @Test func `the manifest's targets are read with their dependencies and folders`() {
        let text = """
            func room(_ name: String) -> Target { .target(name: name, dependencies: []) }
            let package = Package(
                name: "p", products: [.executable(name: "x", targets: ["X"])],
                targets: [
                    .target(name: "Shim"),
                    .systemLibrary(name: "CLib", providers: [.apt(["lib-dev"])]),
                    .target(name: "Base", swiftSettings: house, linkerSettings: [.link("m")]),
                    room("Alone"), // room("Gone")
                    room("Upper", ["Base", "Shim"]),
                    door("Bot", ["Upper"], path: "Examples/Bot"),
                    .target(name: "Kit", dependencies: ["Base"], path: "Tests/Kit"),
                    tests("UpperTests", ["Upper", "Kit"]),
                ])
            """
        let targets = Manifest(SwiftSource(text)).targets
        let shown = targets.map { "\($0.name) \($0.path) \($0.dependencies.sorted()) \($0.isTest)" }
        #expect(
            shown == [
                "Shim Sources/Shim [] false", "CLib Sources/CLib [] false",
                "Base Sources/Base [] false", "Alone Sources/Alone [] false",
                #"Upper Sources/Upper ["Base", "Shim"] false"#,
                #"Bot Examples/Bot ["Upper"] false"#, #"Kit Tests/Kit ["Base"] false"#,
                #"UpperTests Tests/UpperTests ["Kit", "Upper"] true"#,
            ])
    }
}
