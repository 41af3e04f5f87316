import Bytes

/// What keeps two fields of one response name from being one field, or of one shape.
struct FieldComparison {
    let outline: SelectionOutline
    /// Whether the fields stand in different objects, so that only the shape matters.
    let isShapeOnly: Bool

    /// An estimate of a comparison's cost.
    func steps(_ left: Int, _ right: Int) -> Int {
        if isShapeOnly { return 1 }
        let fields = (outline.fields[left].selection, outline.fields[right].selection)
        return 1 + min(fields.0.arguments.count, fields.1.arguments.count)
    }

    /// Why the fields cannot be merged, or nil if they can, but for what they select.
    func difference(_ left: Int, _ right: Int, _ context: ValidationContext) -> Conflict.Reason? {
        if !isShapeOnly {
            let fields = (outline.fields[left].selection, outline.fields[right].selection)
            if fields.0.name.text != fields.1.name.text {
                return .names(fields.0.name.text, fields.1.name.text)
            }
            if !LiteralEquality.areEqual(fields.0.arguments, fields.1.arguments) {
                return .arguments
            }
        }
        // The type of an unknown field is unknown; that is another rule's error.
        guard let leftType = outline.fields[left].type, let rightType = outline.fields[right].type,
            hasOtherShape(leftType, rightType, context.schema)
        else { return nil }
        if !context.options.suggestsNames { return .hiddenTypes }
        return .types(context.text(of: leftType), context.text(of: rightType))
    }

    /// SameResponseShape, without what is selected: the same wrappings around the same leaf, or
    /// around types with fields.
    private func hasOtherShape(_ left: TypeUse, _ right: TypeUse, _ schema: Schema) -> Bool {
        if left == right { return false }
        guard TypeUse.haveSameWrappings(left, right) else { return true }
        return !schema.isComposite(left.named) || !schema.isComposite(right.named)
    }
}

extension TypeUse {
    /// Whether two types differ in nothing but the name within.
    fileprivate static func haveSameWrappings(_ one: TypeUse, _ other: TypeUse) -> Bool {
        var one = one
        var other = other
        while true {
            if one.isNonNull != other.isNonNull { return false }
            switch (one.item, other.item) {
            case (nil, nil): return true
            case (let item?, let otherItem?): (one, other) = (item, otherItem)
            default: return false
            }
        }
    }
}
