import Bytes
import Foundation
import GraphQL
import JSON
import Models
import Records
import Testing

/// The schemas of the example applications.
enum Example: String, CaseIterable {
    case isolationNation = "IsolationNation"
    case cashFlow = "CashFlow"
    case notes = "Notes"

    var sdl: Text {
        get throws {
            let file = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Examples/\(rawValue)/schema.graphql")
            return Text(try String(contentsOf: file, encoding: .utf8))
        }
    }

    func models() throws -> ModelSchema { try ModelSchema(sdl: try sdl) }
}

/// The errors of a schema, as `heliograph check` prints them; empty for a schema without errors.
func errors(of sdl: String) -> String {
    do {
        _ = try ModelSchema(sdl: Text(sdl))
        return ""
    } catch {
        return error.rendered(fileName: "s")
    }
}
