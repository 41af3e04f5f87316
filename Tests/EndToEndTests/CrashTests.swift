import Bytes
import Foundation
import FoundationNetworking
import JSON
import Testing

/// What a hub that was killed in the middle of its work has kept.
@Suite struct CrashTests {
    @Test func `every mutation that was answered survives a kill in the middle of a burst`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("heliograph-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // nothing is lost but space
        let options = ["--data", folder.path, "--no-auth"]

        var answered: [String] = []
        // Twice over the same data: the second start reads what the first crash has left.
        for round in 0..<2 {
            let hub = try RunningHub(options)
            answered += try await burst(against: hub, prefix: "r\(round)", killAfter: 400)
            #expect(try hub.program.waitForExit(seconds: 20) == SIGKILL)
        }
        #expect(answered.count >= 800)

        let hub = try RunningHub(options)
        let kept = try await names(in: hub)
        let lost = answered.filter { kept[$0] != "name of \($0)" }
        #expect(lost == [], "\(lost.count) of \(answered.count) answered mutations are lost")
        try hub.stop()
    }

    /// Eight writers at once; the hub is killed when this many mutations have been answered,
    /// while all of them go on writing. Returns the ids whose mutations were answered.
    private func burst(
        against hub: RunningHub, prefix: String, killAfter: Int
    ) async throws -> [String] {
        let ledger = Ledger()
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for number in 0... {
                        let id = "\(prefix)-\(writer)-\(number)"
                        // The hub's end shows as an error, and ends the writer.
                        guard let answer = try? await hub.create(id) else { return }
                        guard answer == id else { continue }
                        if await ledger.add(id) == killAfter { hub.program.signal(SIGKILL) }
                    }
                }
            }
        }
        return await ledger.ids
    }

    /// All threads that the hub has, page by page.
    private func names(in hub: RunningHub) async throws -> [String: String] {
        var names: [String: String] = [:]
        var token: JSONValue = .null
        repeat {
            let answer = try await hub.post(
                "query($t: String) { listThreads(limit: 500, nextToken: $t) "
                    + "{ items { id name } nextToken } }",
                ["t": token])
            let page = answer["data"]?["listThreads"]
            for item in page?["items"]?.items ?? [] {
                if case .string(let id) = item["id"], case .string(let name) = item["name"] {
                    names[id.string] = name.string
                }
            }
            token = page?["nextToken"] ?? .null
        } while token != .null
        return names
    }
}

/// The ids of mutations that were answered.
private actor Ledger {
    private(set) var ids: [String] = []

    /// Adds one and tells how many there are.
    func add(_ id: String) -> Int {
        ids.append(id)
        return ids.count
    }
}

extension RunningHub {
    /// Runs an operation over HTTP.
    fileprivate func post(_ query: String, _ variables: JSONObject) async throws -> JSONValue {
        let body: JSONValue = ["query": .string(.init(query)), "variables": .object(variables)]
        var request = URLRequest(url: URL(string: "\(base)/graphql")!)
        request.httpMethod = "POST"
        request.httpBody = Data(body.jsonText.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (data, _) = try await URLSession.shared.data(for: request)
        return try JSONValue(parsing: String(decoding: data, as: UTF8.self))
    }

    /// Creates a thread and returns the id in the answer.
    fileprivate func create(_ id: String) async throws -> String? {
        let answer = try await post(
            "mutation($i: CreateThreadInput!) { createThread(input: $i) { id } }",
            [
                "i": [
                    "id": .string(.init(id)), "name": .string(.init("name of \(id)")),
                    "location": "x",
                ]
            ])
        guard case .string(let created) = answer["data"]?["createThread"]?["id"] else {
            return nil
        }
        return created.string
    }
}
