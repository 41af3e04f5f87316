import Bytes
import JSON

/// A part of the schema as introspection sees it. Values are made when they are asked for:
/// the type graph goes in circles.
enum MetaObject {
    case schema
    /// A named type or a wrapping of one.
    case type(TypeUse)
    case field(FieldID)
    case inputValue(InputValue)
    case enumValue(EnumValue)
    case directive(SchemaDirective)
}

/// What an introspection field gives.
enum MetaValue {
    case leaf(JSONValue)
    case object(MetaObject)
    case list([MetaObject])
}

/// Introspection's fields, each with its type.
enum MetaField: Int, CaseIterable {
    case rootSchema
    case rootType
    case schemaDescription
    case schemaTypes
    case schemaQueryType
    case schemaMutationType
    case schemaSubscriptionType
    case schemaDirectives
    case typeKind
    case typeName
    case typeDescription
    case typeSpecifiedByURL
    case typeFields
    case typeInterfaces
    case typePossibleTypes
    case typeEnumValues
    case typeInputFields
    case typeOfType
    case typeIsOneOf
    case fieldName
    case fieldDescription
    case fieldArgs
    case fieldType
    case fieldIsDeprecated
    case fieldDeprecationReason
    case inputValueName
    case inputValueDescription
    case inputValueType
    case inputValueDefaultValue
    case inputValueIsDeprecated
    case inputValueDeprecationReason
    case enumValueName
    case enumValueDescription
    case enumValueIsDeprecated
    case enumValueDeprecationReason
    case directiveName
    case directiveDescription
    case directiveIsRepeatable
    case directiveLocations
    case directiveArgs

    private static let byName: [Text: MetaField] = Dictionary(
        uniqueKeysWithValues: allCases.map { (Text("\($0)"), $0) })

    /// The field of introspection that a definition is, or nil for the operator's own fields.
    ///
    /// The cases are named after the definitions: `__Type.ofType` is `typeOfType`.
    init?(_ field: SchemaField, in schema: Schema) {
        if field.id == schema.meta.schema {
            self = .rootSchema
            return
        }
        if field.id == schema.meta.type {
            self = .rootType
            return
        }
        guard schema.meta.types.contains(field.parent) else { return nil }
        let type = schema.types[field.parent].name.string.dropFirst(2)
        let name = field.name.string
        let key = type.prefix(1).lowercased() + type.dropFirst() + name.prefix(1).uppercased()
        guard let found = Self.byName[Text(key + name.dropFirst())] else {
            preconditionFailure("introspection has no reader for one of its fields")
        }
        self = found
    }
}

/// Reads introspection's fields (GraphQL 4.2).
struct MetaReader {
    let schema: Schema

    /// The value of a field. Fields that have no meaning for the object are null.
    func value(_ field: MetaField, of object: MetaObject, _ arguments: JSONObject) -> MetaValue {
        switch object {
        case .schema: schemaValue(field, arguments)
        case .type(let use): typeValue(field, of: use, arguments)
        case .field(let id): fieldValue(field, of: schema.fields[id], arguments)
        case .inputValue(let value): inputValue(field, of: value)
        case .enumValue(let value): enumValue(field, of: value)
        case .directive(let directive): directiveValue(field, of: directive, arguments)
        }
    }

    private func text(_ text: Text?) -> MetaValue { .leaf(text.map { .string($0) } ?? .null) }

    private func named(_ type: TypeID?) -> MetaValue {
        type.map { .object(.type(TypeUse($0))) } ?? .leaf(.null)
    }

    private func types(_ types: [TypeID]) -> MetaValue {
        .list(types.map { .type(TypeUse($0)) })
    }

    private func inputs(_ values: [InputValue], _ arguments: JSONObject) -> MetaValue {
        let all = arguments["includeDeprecated"]?.boolean ?? false
        return .list(
            values.filter { all || $0.deprecationReason == nil }.map { .inputValue($0) })
    }

    private func schemaValue(_ field: MetaField, _ arguments: JSONObject) -> MetaValue {
        switch field {
        case .rootSchema: return .object(.schema)
        case .rootType:
            guard let name = arguments["name"]?.text else { return .leaf(.null) }
            return named(schema.typeID(name).flatMap { schema.isShown($0) ? $0 : nil })
        case .schemaDescription: return text(schema.description)
        case .schemaTypes: return types(schema.types.indices.filter(schema.isShown))
        case .schemaQueryType: return named(schema.queryType)
        case .schemaMutationType: return named(schema.mutationType)
        case .schemaSubscriptionType: return named(schema.subscriptionType)
        case .schemaDirectives: return .list(schema.directives.map { .directive($0) })
        default: return .leaf(.null)
        }
    }

    private func typeValue(
        _ field: MetaField, of use: TypeUse, _ arguments: JSONObject
    ) -> MetaValue {
        if let inner = use.inner {
            switch field {
            case .typeKind: return .leaf(use.isNonNull ? "NON_NULL" : "LIST")
            case .typeOfType: return .object(.type(inner))
            default: return .leaf(.null)
            }
        }
        let type = schema.types[use.named]
        let all = arguments["includeDeprecated"]?.boolean ?? false
        let hasFields = type.kind == .object || type.kind == .interface
        switch field {
        case .typeKind: return .leaf(.string(Text(type.kind.rawValue)))
        case .typeName: return text(type.name)
        case .typeDescription: return text(type.description)
        case .typeSpecifiedByURL: return text(type.specifiedByURL)
        case .typeFields where hasFields:
            return .list(
                type.fields.filter { all || schema.fields[$0].deprecationReason == nil }
                    .map { .field($0) })
        case .typeInterfaces where hasFields: return types(type.interfaces)
        case .typePossibleTypes where type.kind == .interface || type.kind == .union:
            return types(type.possibleTypes)
        case .typeEnumValues where type.kind == .enumeration:
            return .list(
                type.enumValues.filter { all || $0.deprecationReason == nil }
                    .map { .enumValue($0) })
        case .typeInputFields where type.kind == .inputObject:
            return inputs(type.inputFields, arguments)
        case .typeIsOneOf where type.kind == .inputObject: return .leaf(.bool(type.isOneOf))
        default: return .leaf(.null)
        }
    }

    private func fieldValue(
        _ field: MetaField, of definition: SchemaField, _ arguments: JSONObject
    ) -> MetaValue {
        switch field {
        case .fieldName: text(definition.name)
        case .fieldDescription: text(definition.description)
        case .fieldArgs: inputs(definition.arguments, arguments)
        case .fieldType: .object(.type(definition.type))
        case .fieldIsDeprecated: .leaf(.bool(definition.deprecationReason != nil))
        case .fieldDeprecationReason: text(definition.deprecationReason)
        default: .leaf(.null)
        }
    }

    private func inputValue(_ field: MetaField, of value: InputValue) -> MetaValue {
        switch field {
        case .inputValueName: text(value.name)
        case .inputValueDescription: text(value.description)
        case .inputValueType: .object(.type(value.type))
        case .inputValueDefaultValue:
            text(value.defaultValue.map { schema.literalText(of: $0, value.type) })
        case .inputValueIsDeprecated: .leaf(.bool(value.deprecationReason != nil))
        case .inputValueDeprecationReason: text(value.deprecationReason)
        default: .leaf(.null)
        }
    }

    private func enumValue(_ field: MetaField, of value: EnumValue) -> MetaValue {
        switch field {
        case .enumValueName: text(value.name)
        case .enumValueDescription: text(value.description)
        case .enumValueIsDeprecated: .leaf(.bool(value.deprecationReason != nil))
        case .enumValueDeprecationReason: text(value.deprecationReason)
        default: .leaf(.null)
        }
    }

    private func directiveValue(
        _ field: MetaField, of directive: SchemaDirective, _ arguments: JSONObject
    ) -> MetaValue {
        switch field {
        case .directiveName: text(directive.name)
        case .directiveDescription: text(directive.description)
        case .directiveIsRepeatable: .leaf(.bool(directive.isRepeatable))
        case .directiveLocations:
            .leaf(.array(directive.locations.map { .string(Text($0.rawValue)) }))
        case .directiveArgs: inputs(directive.arguments, arguments)
        default: .leaf(.null)
        }
    }
}
