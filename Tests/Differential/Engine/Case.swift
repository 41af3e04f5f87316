import Bytes
import JSON

/// One case: a schema, a request, and what the resolvers give.
///
///     {"sdl": "…", "document": "…", "operationName": "…", "variables": {…},
///      "embedded": ["Type", …], "values": {"id/field/arguments": value, …}, "event": value}
///
/// Fields of an object of an embedded type are members of its value; all other fields are asked
/// for, and the answer stands in `values` under the parent's id (none at the root), the field's
/// name and the arguments as JSON with sorted names. A value is `{"value": json}`,
/// `{"type": "T", "id": "n1"}`, `{"list": [value, …]}`, `{"error": true}` or `{}`, which is null.
struct Case {
    var sdl: Text
    var document: Text?
    var operationName: Text?
    var variables: JSONObject
    var embedded: [Text]
    var values: [Text: JSONValue] = [:]
    var event: JSONValue?

    init(_ json: JSONValue) {
        sdl = json["sdl"]?.text ?? ""
        document = json["document"]?.text
        operationName = json["operationName"]?.text
        variables = json["variables"]?.object ?? [:]
        embedded = (json["embedded"]?.items ?? []).compactMap(\.text)
        for member in json["values"]?.object?.members ?? [] { values[member.name] = member.value }
        event = json["event"]
    }
}
