import Bytes
import GraphQL
import JSON

/// Reads an SDL with model directives into definitions of models, and notes everything that is
/// wrong with it. The steps follow each other because each needs the one before:
/// types, stored fields, keys, relations.
struct SchemaReader {
    let document: Document
    var errors: ErrorList
    var unenforced: [UnenforcedRule] = []

    /// All types of the SDL by name.
    var types: [String: TypeDefinition] = [:]
    /// Enums, types without `@model`, interfaces and unions, in the SDL's order.
    var enumerations: [TypeDefinition] = []
    var embedded: [TypeDefinition] = []
    var abstract: [TypeDefinition] = []
    var models: [ModelDefinition] = []
    var drafts: [ModelDraft] = []
    var modelIDs: [String: Int] = [:]

    init(_ document: Document) {
        self.document = document
        errors = ErrorList(document: document)
    }

    /// Reads everything. The definitions are complete only if `errors` is empty.
    mutating func read() {
        collectTypes()
        checkImplementations()
        for id in models.indices { readStoredFields(of: id) }
        checkEmbedded()
        checkAbstract()
        for id in models.indices { readKeys(of: id) }
        resolveRelations()
        for id in models.indices { finishOutput(of: id) }
    }
}

/// What is remembered of a model until its relations are resolved.
struct ModelDraft {
    var type: TypeDefinition
    /// The directives of the type.
    var directives: [CheckedDirective]
    /// The fields in the SDL's order, with their directives.
    var fields: [DraftField] = []
    /// Foreign keys that relations add, in order.
    var foreignKeySlots: [Int] = []

    func directive(_ name: String) -> CheckedDirective? { directives.first { $0.name == name } }
}

/// A declared field of a model.
struct DraftField {
    enum Meaning {
        case stored(slot: Int)
        case relation(target: Int, isList: Bool)
        case resolved(OutputField)
        /// Something is wrong with it, and has been noted.
        case broken
    }

    var definition: FieldDefinition
    var directives: [CheckedDirective]
    var meaning: Meaning

    var name: String { definition.name.text.string }

    func directive(_ name: String) -> CheckedDirective? { directives.first { $0.name == name } }
}
