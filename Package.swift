// swift-tools-version: 6.2
import PackageDescription

/// The same settings for every target: Swift 6 mode (below), explicit imports, warnings as errors.
let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
    .treatAllWarnings(as: .error),
]

func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: house)
}

func door(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: path, swiftSettings: house)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: path, swiftSettings: house)
}

let package = Package(
    name: "heliograph",
    products: [
        .executable(name: "heliograph", targets: ["HeliographCLI"]),
        .library(name: "HubClient", targets: ["HubClient"]),
        .executable(name: "websocket-echo", targets: ["WebSocketEcho"]),
    ],
    targets: [
        // C shims: includes and static inline wrappers, nothing else.
        .target(name: "CLinux"),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

        // Floor 0: matter.
        // libm is named here once: without Foundation nothing else asks the linker for it.
        .target(
            name: "Bytes", swiftSettings: house, linkerSettings: [.linkedLibrary("m")]),
        room("JSON", ["Bytes"]),
        room("Crypto", ["Bytes", "COpenSSL"]),

        // Floor 1: wires.
        room("HTTP1", ["Bytes"]),
        room("WebSocket", ["Bytes", "HTTP1", "Crypto", "CZlib"]),
        room("Subprotocol", ["Bytes", "JSON"]),

        // Floor 2: meaning.
        room("GraphQL", ["Bytes", "JSON"]),
        room("Records", ["Bytes", "JSON"]),
        room("Models", ["Bytes", "JSON", "GraphQL", "Records"]),
        room("Access", ["Bytes", "JSON", "Records", "Crypto"]),
        room("Broker", ["Bytes", "JSON", "Records"]),

        // Floor 3: ground.
        room("Store", ["Bytes", "JSON", "Records"]),
        room("SQLiteStore", ["Bytes", "JSON", "Records", "Store", "CSQLite"]),
        room("Loop", ["Bytes", "CLinux", "COpenSSL"]),

        // Floor 4: server.
        room(
            "Hub",
            [
                "Bytes", "JSON", "Crypto", "HTTP1", "WebSocket", "Subprotocol", "GraphQL",
                "Records", "Models", "Access", "Broker", "Store",
            ]),
        room(
            "HubServer",
            [
                "Hub", "Loop", "Store", "SQLiteStore", "Bytes", "JSON", "Crypto", "GraphQL",
                "Records", "Models", "Access",
            ]),

        // Floor 5: client.
        room(
            "HubClient",
            ["Bytes", "JSON", "Crypto", "HTTP1", "WebSocket", "Subprotocol", "Loop"]),

        // Floor 6: doors.
        door(
            "HeliographCLI",
            [
                "Hub", "HubServer", "HubClient", "Access", "Bytes", "JSON", "GraphQL", "Records",
                "Models", "Loop", "Store", "SQLiteStore", "Crypto", "Subprotocol",
            ]),
        door(
            "IsolationNationBot", ["HubClient", "JSON", "Bytes"],
            path: "Examples/IsolationNation/Bot"),

        // Helpers that several test targets use.
        .target(
            name: "TestKit", dependencies: ["Bytes"], path: "Tests/TestKit",
            swiftSettings: house),
        .target(
            name: "StoreConformance", dependencies: ["Bytes", "JSON", "Records", "Store"],
            path: "Tests/StoreConformance", swiftSettings: house),

        // Documents that are cheap to send and were dear to answer, and what they cost here.
        .target(
            name: "HostileDocuments", path: "Tests/HostileDocuments", swiftSettings: house),
        door(
            "HostileBench", ["HostileDocuments", "GraphQL", "JSON", "Bytes"],
            path: "Tests/HostileBench"),

        // Server and client for conformance suites that test from outside.
        door(
            "WebSocketEcho", ["HubClient", "Loop", "WebSocket", "HTTP1", "Bytes"],
            path: "Tests/WebSocketEcho"),
        // The engine for comparisons with another one.
        door(
            "DifferentialEngine", ["GraphQL", "JSON", "Bytes"], path: "Tests/Differential/Engine"),

        // What `make bench` runs to measure the preparing of operations.
        door(
            "PrepareBench", ["Hub", "Models", "GraphQL", "Bytes"], path: "Tests/Bench/Prepare"),

        tests("BytesTests", ["Bytes", "TestKit"]),
        tests("JSONTests", ["JSON", "Bytes", "TestKit"]),
        tests("CryptoTests", ["Crypto", "Bytes"]),
        tests("HTTP1Tests", ["HTTP1", "Bytes", "TestKit"]),
        tests("WebSocketTests", ["WebSocket", "HTTP1", "Bytes", "TestKit"]),
        tests("SubprotocolTests", ["Subprotocol", "JSON", "Bytes", "TestKit"]),
        tests("GraphQLTests", ["GraphQL", "HostileDocuments", "JSON", "Bytes", "TestKit"]),
        tests("RecordsTests", ["Records", "JSON", "Bytes"]),
        tests("ModelsTests", ["Models", "GraphQL", "Records", "JSON", "Bytes"]),
        tests("AccessTests", ["Access", "Bytes", "JSON"]),
        tests("BrokerTests", ["Broker", "Records", "JSON", "Bytes"]),
        tests("StoreTests", ["Store", "StoreConformance", "Records", "JSON", "Bytes"]),
        tests(
            "SQLiteStoreTests",
            ["SQLiteStore", "Store", "StoreConformance", "Records", "JSON", "Bytes"]),
        tests("LoopTests", ["Loop", "Bytes"]),
        tests(
            "HubTests",
            [
                "Hub", "Models", "GraphQL", "Records", "Store", "Subprotocol", "WebSocket",
                "HTTP1", "JSON", "Bytes", "Access", "Broker", "Crypto", "TestKit",
            ]),
        tests(
            "HubClientTests",
            [
                "HubClient", "Subprotocol", "WebSocket", "HTTP1", "JSON", "Bytes", "Loop",
                "TestKit",
            ]),
        tests("HeliographCLITests", ["HeliographCLI", "Hub", "HubClient", "JSON", "Bytes"]),
        tests("IsolationNationBotTests", ["IsolationNationBot", "Bytes"]),
        tests("HouseTests", []),
        tests(
            "SimulationTests",
            [
                "Hub", "HubClient", "Models", "GraphQL", "Records", "Store", "Subprotocol",
                "WebSocket", "HTTP1", "JSON", "Bytes", "Access", "Broker", "Crypto",
            ], path: "Tests/Simulation"),
        .testTarget(
            name: "EndToEndTests", dependencies: ["JSON", "Bytes", "TestKit"], exclude: ["Clients"],
            swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)

// libFuzzer brings its own `main` and must see all code, so this is built by `make fuzz` alone.
if Context.environment["HELIOGRAPH_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "Hub", "Models", "GraphQL", "Records", "Store", "Subprotocol", "WebSocket",
                "HTTP1", "JSON", "Bytes", "Access",
            ],
            path: "Tests/Fuzz/Targets",
            swiftSettings: house + [.unsafeFlags(["-parse-as-library"])]))
}
