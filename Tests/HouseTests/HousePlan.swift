/// One target under `Sources/` or `Examples/` and what it may lean on.
struct Room {
    var name: String
    /// The targets of this package whose modules it may import.
    var rooms: Set<String> = []
    /// The modules of the toolchain and the C shims that it may import.
    var modules: Set<String> = []
    /// Whether it is plain code that is told things: no clock, thread, socket, file, randomness.
    var isTold = false
    /// Why it has no test target of its own name, if it has none.
    var testedElsewhere: String?
}

/// The walls of the house as `Package.swift` realises DESIGN §2. Whoever moves a wall changes
/// `Package.swift`, this table and the table in `ARCHITECTURE.md` in the same commit.
enum HousePlan {
    /// The one system-facing vocabulary of the rooms that do the waiting.
    private static let system: Set<String> = ["Dispatch", "Glibc", "Synchronization"]

    static let rooms: [Room] = [
        Room(name: "Bytes", isTold: true),
        Room(name: "JSON", rooms: ["Bytes"], isTold: true),
        Room(name: "Crypto", rooms: ["Bytes"], modules: ["COpenSSL"], isTold: true),

        Room(name: "HTTP1", rooms: ["Bytes"], isTold: true),
        Room(
            name: "WebSocket", rooms: ["Bytes", "HTTP1", "Crypto"], modules: ["CZlib"],
            isTold: true),
        Room(name: "Subprotocol", rooms: ["Bytes", "JSON"], isTold: true),

        Room(name: "GraphQL", rooms: ["Bytes", "JSON"], isTold: true),
        Room(name: "Records", rooms: ["Bytes", "JSON"], isTold: true),
        Room(name: "Models", rooms: ["Bytes", "JSON", "GraphQL", "Records"], isTold: true),
        Room(name: "Access", rooms: ["Bytes", "JSON", "Records", "Crypto"], isTold: true),
        Room(name: "Broker", rooms: ["Bytes", "JSON", "Records"], isTold: true),

        Room(name: "Store", rooms: ["Bytes", "JSON", "Records"], isTold: true),
        Room(
            name: "SQLiteStore", rooms: ["Bytes", "JSON", "Records", "Store"],
            modules: ["CSQLite", "Glibc"]),
        Room(name: "Loop", rooms: ["Bytes"], modules: system.union(["CLinux", "COpenSSL"])),

        Room(
            name: "Hub",
            rooms: [
                "Bytes", "JSON", "Crypto", "HTTP1", "WebSocket", "Subprotocol", "GraphQL",
                "Records", "Models", "Access", "Broker", "Store",
            ], isTold: true),
        Room(
            name: "HubServer",
            rooms: [
                "Hub", "Loop", "Store", "SQLiteStore", "Bytes", "JSON", "Crypto", "GraphQL",
                "Records", "Models", "Access",
            ], modules: system,
            testedElsewhere: "joins rooms that have tests; EndToEndTests run it for real"),

        Room(
            name: "HubClient",
            rooms: ["Bytes", "JSON", "Crypto", "HTTP1", "WebSocket", "Subprotocol", "Loop"],
            modules: system),

        Room(
            name: "HeliographCLI",
            rooms: [
                "Hub", "HubServer", "HubClient", "Bytes", "JSON", "GraphQL", "Records", "Models",
                "Loop", "Store", "SQLiteStore", "Crypto", "Access", "Subprotocol",
            ], modules: system.union(["Foundation", "FoundationEssentials"])),
        Room(
            name: "IsolationNationBot", rooms: ["HubClient", "JSON", "Bytes"],
            modules: system.union(["Foundation", "FoundationEssentials"])),
    ]

    static let roomsByName = Dictionary(uniqueKeysWithValues: rooms.map { ($0.name, $0) })

    /// Includes and static inline wrappers of one C library each, and who may import them.
    static let shims: Set<String> = ["CLinux", "COpenSSL", "CSQLite", "CZlib"]

    /// Test targets that belong to no single room.
    static let testsWithoutRoom: Set<String> = [
        "HouseTests", "SimulationTests", "EndToEndTests", "TestKit", "StoreConformance",
        "WebSocketEcho", "DifferentialEngine", "Fuzz", "HostileDocuments", "HostileBench",
        "PrepareBench",
    ]

    /// Folders beside the targets, and what they are for.
    static let otherFolders: [String: String] = [
        "Tests/Bench": "runs the benchmarks: their drivers, and what they are compared with",
        "Tests/Soak": "the visitors of the soak, and what must be as before when they have gone",
        "Tests/Fuzz": "runs libFuzzer, with its seeds and dictionaries",
        "Tests/Differential": "compares the GraphQL engine with graphql-core",
        "Tests/Conformance": "runs the Autobahn cases, and what came out of them",
    ]

    /// What tests may import besides the rooms that `Package.swift` gives them.
    static let testModules: Set<String> = [
        "Testing", "Foundation", "FoundationNetworking", "Dispatch", "Glibc", "Synchronization",
    ]

    /// Longest Swift file, in lines; above 500 one asks what the second subject in it is.
    static let fileLinesMax = 600

    /// Files that are longer than that for now, with the length that they must not exceed. The
    /// list may only shrink.
    static let longFiles: [String: Int] = [:]
}
