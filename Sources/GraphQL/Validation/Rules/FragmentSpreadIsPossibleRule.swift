import Bytes

/// Fragment Spread Is Possible (GraphQL 5.5.2.3): some object is of the fragment's type and of
/// the type where it is spread.
enum FragmentSpreadIsPossibleRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.inline.append { fragment, parent, context in
            guard let parent, let condition = fragment.typeCondition else { return }
            guard let type = context.schema.typeID(condition.text) else { return }
            if context.overlaps.mayMeet(type, parent, context.schema) { return }
            report("Fragment", type, on: parent, at: fragment.offset, context)
        }
        walk.spread.append { spread, parent, context in
            guard let parent, let index = context.fragment(named: spread.name.text) else { return }
            let condition = context.fragments[index].typeCondition
            guard let type = context.schema.typeID(condition.text) else { return }
            if context.overlaps.mayMeet(type, parent, context.schema) { return }
            report(
                "Fragment \"\(spread.name.text)\"", type, on: parent, at: spread.offset, context)
        }
    }

    private static func report(
        _ fragment: String, _ type: TypeID, on parent: TypeID, at offset: Int,
        _ context: ValidationContext
    ) {
        context.report(
            context.words(
                "\(fragment) cannot be spread here as objects of type "
                    + "\"\(context.name(of: parent))\" can never be of type "
                    + "\"\(context.name(of: type))\".",
                hidden: "\(fragment) cannot be spread here: no object is of both types."),
            at: offset)
    }
}

/// Which composite types have objects in common; each pair is compared once.
struct TypeOverlaps {
    private struct Pair: Hashable {
        var lower: TypeID
        var higher: TypeID
    }

    private var known: [Pair: Bool] = [:]

    /// Whether an object may be of both types. Types without fields are another rule's matter.
    mutating func mayMeet(_ one: TypeID, _ other: TypeID, _ schema: Schema) -> Bool {
        if one == other { return true }
        let pair = Pair(lower: min(one, other), higher: max(one, other))
        if let answer = known[pair] { return answer }
        var answer = true
        if schema.isComposite(one), schema.isComposite(other) {
            let possible = Set(schema.types[one].possibleTypes)
            answer = schema.types[other].possibleTypes.contains { possible.contains($0) }
        }
        known[pair] = answer
        return answer
    }
}
