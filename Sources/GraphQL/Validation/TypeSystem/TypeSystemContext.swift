import Bytes

/// What the rules for type systems share.
struct TypeSystemContext {
    let schema: Schema
    let documents: [Document]
    /// All errors so far.
    private(set) var errors: [GraphQLError] = []
    private let places: DefinitionPlaces
    private let errorsMax: Int

    init(_ schema: Schema, _ documents: [Document], errorsMax: Int) {
        self.schema = schema
        self.documents = documents
        self.errorsMax = errorsMax
        places = DefinitionPlaces(documents)
    }

    /// The types that the operator has defined.
    var ownTypes: [SchemaType] {
        schema.types.filter { !schema.introspectionTypes.contains($0.id) }
    }

    /// Whether no more errors are kept.
    var isFull: Bool { errors.count >= errorsMax }

    /// Keeps an error at the definitions with these schema coordinates (GraphQL 2.15). Those
    /// made in code have no place.
    mutating func report(_ message: String, at coordinates: String...) {
        if isFull { return }
        let locations = coordinates.prefix(DefinitionPlaces.placesMax).compactMap { places[$0] }
        errors.append(GraphQLError(message, locations: locations))
    }

    /// Keeps an error at any number of coordinates.
    mutating func report(_ message: String, at coordinates: [String]) {
        if isFull { return }
        let locations = coordinates.prefix(DefinitionPlaces.placesMax).compactMap { places[$0] }
        errors.append(GraphQLError(message, locations: locations))
    }
}

/// Where things are defined, by schema coordinate.
struct DefinitionPlaces {
    /// So many places one error names.
    static let placesMax = 20

    private struct Place {
        var document: Int
        var offset: Int
    }

    private let documents: [Document]
    private var places: [String: Place] = [:]

    init(_ documents: [Document]) {
        self.documents = documents
        for (index, document) in documents.enumerated() {
            for definition in document.definitions {
                switch definition {
                case .type(let type): add(type, index)
                case .directive(let directive): add(directive, index)
                case .schema, .operation, .fragment: break
                }
            }
        }
    }

    subscript(coordinate: String) -> SourceLocation? {
        places[coordinate].map { documents[$0.document].location(at: $0.offset) }
    }

    private mutating func add(_ coordinate: String, _ document: Int, _ offset: Int) {
        if places[coordinate] == nil {
            places[coordinate] = Place(document: document, offset: offset)
        }
    }

    private mutating func add(_ type: TypeDefinition, _ document: Int) {
        let name = type.name.text.string
        if !type.isExtension { add(name, document, type.name.offset) }
        for interface in type.interfaces {
            add("\(name) implements \(interface.text)", document, interface.offset)
        }
        for field in type.fields {
            let coordinate = "\(name).\(field.name.text)"
            add(coordinate, document, field.name.offset)
            add("type of \(coordinate)", document, field.type.offset)
            for argument in field.arguments {
                let place = "\(coordinate)(\(argument.name.text):)"
                add(place, document, argument.name.offset)
                add("type of \(place)", document, argument.type.offset)
            }
        }
        for field in type.inputFields {
            add("\(name).\(field.name.text)", document, field.name.offset)
        }
    }

    private mutating func add(_ directive: DirectiveDefinition, _ document: Int) {
        add("@\(directive.name.text)", document, directive.name.offset)
    }
}
