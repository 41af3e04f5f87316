import Bytes
import JSON

/// The places of an operation's variables. Few are searched in line; of many there is a table, so
/// that as many uses of as many variables take no time of their own.
struct VariableNames: Sendable {
    /// So many names are compared one by one, which is cheaper than a table.
    static let compareAllMax = 12

    let names: [Text]
    private let places: [Text: Int]

    init(_ names: [Text]) {
        self.names = names
        var places: [Text: Int] = [:]
        if names.count > Self.compareAllMax {
            for (place, name) in names.enumerated() { places[name] = place }
        }
        self.places = places
    }

    /// The place of a variable; nil if there is none of that name.
    func place(of name: Text) -> Int? {
        places.isEmpty ? names.firstIndex(of: name) : places[name]
    }
}

/// An object's members by name, with a table if many are wanted of many.
struct MemberLookUp {
    private let object: JSONObject
    private var values: [Text: JSONValue] = [:]

    init(_ object: JSONObject, wanted: Int) {
        self.object = object
        let few = VariableNames.compareAllMax
        guard wanted > few, object.count > few else { return }
        // Of equal names the last one counts, as everywhere.
        for member in object.members { values[member.name] = member.value }
    }

    subscript(name: Text) -> JSONValue? { values.isEmpty ? object[name] : values[name] }
}
