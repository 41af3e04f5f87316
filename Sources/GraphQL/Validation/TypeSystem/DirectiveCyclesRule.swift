import Bytes

/// Directives do not need themselves (GraphQL 3.13): neither their arguments nor the types of
/// these may use the directive that is being defined.
enum DirectiveCyclesRule: TypeSystemRule {
    static func check(_ context: inout TypeSystemContext) {
        let needs = DirectiveNeeds(context.documents)
        for directive in context.schema.directives where needs.needsItself(directive.name) {
            context.report(
                "Directive @\(directive.name) must not reference itself through its arguments.",
                at: "@\(directive.name)")
        }
    }
}

/// Which directives and input types a directive's arguments need, and these in turn.
private struct DirectiveNeeds {
    private enum Node: Hashable {
        case directive(Text)
        case type(Text)
    }

    private var needs: [Node: [Node]] = [:]

    init(_ documents: [Document]) {
        for definition in documents.lazy.flatMap(\.definitions) {
            switch definition {
            case .directive(let directive):
                for argument in directive.arguments {
                    add(argument, to: .directive(directive.name.text))
                }
            case .type(let type):
                let node = Node.type(type.name.text)
                add(type.directives, to: node)
                for value in type.values { add(value.directives, to: node) }
                for field in type.inputFields { add(field, to: node) }
            case .schema, .operation, .fragment: break
            }
        }
    }

    private mutating func add(_ value: InputValueDefinition, to node: Node) {
        add(value.directives, to: node)
        needs[node, default: []].append(.type(value.type.name.text))
    }

    private mutating func add(_ directives: [Directive], to node: Node) {
        for directive in directives {
            needs[node, default: []].append(.directive(directive.name.text))
        }
    }

    /// Whether the directive is among all that it needs.
    func needsItself(_ directive: Text) -> Bool {
        let start = Node.directive(directive)
        var waiting = needs[start] ?? []
        var seen: Set<Node> = []
        while let node = waiting.popLast() {
            if node == start { return true }
            if seen.insert(node).inserted { waiting += needs[node] ?? [] }
        }
        return false
    }
}
