import Glibc

/// What is fuzzed. Each area has one function, a seed corpus and a dictionary of its name.
enum Area: String, CaseIterable {
    case http, websocket, subprotocol, json, graphql, schema, shard

    /// Takes one input. Any trap is a finding; what the rooms themselves refuse is not.
    func take(_ input: inout Input) {
        switch self {
        case .http: HTTPFuzz.take(&input)
        case .websocket: WebSocketFuzz.take(&input)
        case .subprotocol: SubprotocolFuzz.take(&input)
        case .json: JSONFuzz.take(&input)
        case .graphql: GraphQLFuzz.take(&input)
        case .schema: SchemaFuzz.take(&input)
        case .shard: ShardFuzz.take(&input)
        }
    }

    /// The one that the environment names.
    static let chosen: Area = {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let area = Area(rawValue: name) else {
            let known = Area.allCases.map(\.rawValue).joined(separator: ", ")
            fatalError("FUZZ_TARGET is to name one of \(known)")
        }
        return area
    }()
}

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzerTestOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = Input(UnsafeRawBufferPointer(start: start, count: count))
    Area.chosen.take(&input)
    return 0
}
