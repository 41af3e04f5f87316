import Bytes
import JSON
import Records

/// The file's own memory of every model and field it has ever held.
///
/// A field's place in its model here never changes; rows of the change log hold their values in
/// this order. Fields and models that the schema drops stay, so that one that comes back as
/// another kind is noticed.
struct StoredLayout: Hashable {
    struct Model: Hashable {
        var name: Text
        var key: [Text]
        var fields: [FieldLayout]
    }

    var models: [Model] = []

    /// Why a layout does not fit what is stored.
    struct Contradiction: Error {
        var what: String
    }

    /// This layout with everything new in `layout`.
    func adding(_ layout: DataLayout) throws(Contradiction) -> StoredLayout {
        var result = self
        for model in layout.models {
            let key = model.key.map { model.fields[$0].name }
            guard let index = models.firstIndex(where: { $0.name == model.name }) else {
                result.models.append(Model(name: model.name, key: key, fields: model.fields))
                continue
            }
            guard models[index].key == key else {
                throw Contradiction(
                    what: """
                        the key of the model "\(model.name)" was (\(Self.list(models[index].key))) \
                        and is now (\(Self.list(key))); give the model another name
                        """)
            }
            for field in model.fields {
                guard let stored = models[index].fields.first(where: { $0.name == field.name })
                else {
                    result.models[index].fields.append(field)
                    continue
                }
                guard stored == field else { throw Self.changedKind(model, stored, field) }
            }
        }
        return result
    }

    func model(named name: Text) -> Model? { models.first { $0.name == name } }

    private static func changedKind(
        _ model: ModelLayout, _ stored: FieldLayout, _ field: FieldLayout
    ) -> Contradiction {
        Contradiction(
            what: """
                the field "\(field.name)" of the model "\(model.name)" held \(kind(stored)) and \
                is now to hold \(kind(field)); give the field another name
                """)
    }

    private static func kind(_ field: FieldLayout) -> String {
        field.isList ? "lists of kind \(field.kind.rawValue)" : "kind \(field.kind.rawValue)"
    }

    private static func list(_ names: [Text]) -> String {
        names.map(\.string).joined(separator: ", ")
    }
}

extension StoredLayout {
    /// As JSON, for the file.
    var json: JSONValue {
        .array(
            models.map { model in
                [
                    "name": .string(model.name),
                    "key": .array(model.key.map { .string($0) }),
                    "fields": .array(
                        model.fields.map { field in
                            [
                                "name": .string(field.name),
                                "kind": .string(Text(field.kind.rawValue)),
                                "list": .bool(field.isList),
                            ]
                        }),
                ]
            })
    }

    /// From the file; nil if it is not what `json` gave.
    init?(json: JSONValue) {
        guard let items = json.items else { return nil }
        for item in items {
            guard let name = item["name"]?.text, let key = item["key"]?.items,
                let fields = item["fields"]?.items
            else { return nil }
            var model = Model(name: name, key: key.compactMap(\.text), fields: [])
            for field in fields {
                guard let name = field["name"]?.text,
                    let kind = field["kind"]?.text.flatMap({ FieldKind(rawValue: $0.string) }),
                    let isList = field["list"]?.boolean
                else { return nil }
                model.fields.append(FieldLayout(name: name, kind: kind, isList: isList))
            }
            models.append(model)
        }
    }
}
