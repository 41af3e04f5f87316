import Bytes
import GraphQL
import Records

/// The types of the API that do not depend on the models (AppSync contract 4.4).
enum SharedTypes {
    /// All of them, and the AWS scalars.
    static var all: [TypeDefinition] {
        scalars
            + [
                .enumeration("ModelSortDirection", ["ASC", "DESC"]),
                .enumeration(
                    "ModelAttributeTypes", Filter.AttributeType.allCases.map(\.rawValue)),
                .input("ModelSizeInput", comparisons("Int", hasText: false)),
            ] + FilterFamily.allCases.map(filter) + FilterFamily.allCases.compactMap(keyCondition)
            + FilterFamily.allCases.map(subscriptionFilter)
    }

    private static var scalars: [TypeDefinition] {
        FieldScalar.added.map { scalar in
            TypeDefinition(
                kind: .scalar, name: Name(Text(scalar.rawValue)),
                description: Text(Names.upperFirst(scalar.form) + "."))
        }
    }

    /// `ne eq le lt ge gt between`, and `contains notContains … beginsWith` for texts.
    private static func comparisons(
        _ type: String, hasText: Bool
    ) -> [(String, String)] {
        var fields = ["ne", "eq", "le", "lt", "ge", "gt"].map { ($0, type) }
        if hasText { fields += [("contains", type), ("notContains", type)] }
        fields.append(("between", "[\(type)]"))
        if hasText { fields.append(("beginsWith", type)) }
        return fields
    }

    private static func isText(_ family: FilterFamily) -> Bool {
        family == .string || family == .id
    }

    private static func filter(_ family: FilterFamily) -> TypeDefinition {
        let type = family.rawValue
        var fields =
            family == .boolean
            ? [("ne", type), ("eq", type)] : comparisons(type, hasText: isText(family))
        fields += [("attributeExists", "Boolean"), ("attributeType", "ModelAttributeTypes")]
        if isText(family) { fields.append(("size", "ModelSizeInput")) }
        return .input("Model\(type)Input", fields)
    }

    private static func keyCondition(_ family: FilterFamily) -> TypeDefinition? {
        if family == .boolean { return nil }
        let type = family.rawValue
        var fields = ["eq", "le", "lt", "ge", "gt"].map { ($0, type) }
        fields.append(("between", "[\(type)]"))
        if isText(family) { fields.append(("beginsWith", type)) }
        return .input("Model\(type)KeyConditionInput", fields)
    }

    private static func subscriptionFilter(_ family: FilterFamily) -> TypeDefinition {
        let type = family.rawValue
        var fields =
            family == .boolean
            ? [("ne", type), ("eq", type)] : comparisons(type, hasText: isText(family))
        if family != .boolean {
            // AppSync's generated inputs lack containsAny, though its filters know it.
            fields += ["in", "notIn", "containsAny"].map { ($0, "[\(type)]") }
        }
        return .input("ModelSubscription\(type)Input", fields)
    }
}
