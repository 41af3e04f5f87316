import Foundation
import Testing

/// The committed results of the Autobahn cases are what this project promises.
@Suite struct ConformanceResultsTests {
    @Test(arguments: ["server", "client"])
    func `all 517 cases are OK, three of them informational`(role: String) throws {
        let bytes = try #require(Repository().bytes(of: "Tests/Conformance/results.json"))
        let roles = try #require(
            JSONSerialization.jsonObject(with: Data(bytes)) as? [String: [String: [String]]])
        let verdicts = try #require(roles[role])
        #expect(verdicts.count == 517)
        // The suite has no opinion about these three.
        let informational: Set = ["7.1.6", "7.13.1", "7.13.2"]
        for (id, verdict) in verdicts {
            let wanted = informational.contains(id) ? "INFORMATIONAL" : "OK"
            #expect(verdict == [wanted, wanted], "\(id)")
        }
    }
}
