/// Field Selection Merging (GraphQL 5.3.2): what goes by one response name in one object is one
/// field with the same arguments, and what goes by one name in different objects has one shape.
enum FieldSelectionMergingRule: Rule {
    static func join(_ walk: inout Listeners) {
        walk.finished.append { context in
            var merging = FieldMerging(context)
            let conflicts = merging.conflicts()
            for root in ConflictTree.trees(of: conflicts) where !context.isFull {
                let pair = root.offsets(context.outline)
                context.report(
                    "Fields \"\(root.name(context.outline))\" conflict because "
                        + "\(root.reason(context.outline)). Use different aliases on the fields "
                        + "to fetch both if this was intentional.",
                    at: pair.left + pair.right)
            }
        }
    }
}
