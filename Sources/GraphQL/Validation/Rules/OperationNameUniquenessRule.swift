import Bytes

/// Operation Name Uniqueness (GraphQL 5.2.2.1): no two operations have one name, whatever
/// their kinds.
enum OperationNameUniquenessRule: Rule {
    static func join(_ walk: inout Listeners) {
        var seen: [Text: Int] = [:]
        walk.operation.append { operation, context in
            guard let name = operation.name else { return }
            if let first = seen[name.text] {
                context.report(
                    "There can be only one operation named \"\(name.text)\".",
                    at: first, name.offset)
            } else {
                seen[name.text] = name.offset
            }
        }
    }
}
