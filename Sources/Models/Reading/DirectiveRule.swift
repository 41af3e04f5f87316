import Bytes
import GraphQL
import JSON

/// What is known of one directive of schemas: where it may stand, what it may be given, and what
/// becomes of it here. All rules stand in `DirectiveRule.all`.
struct DirectiveRule: Sendable {
    /// What becomes of a directive.
    enum Fate: Sendable {
        /// It shapes the API and the store.
        case supported
        /// It restricts access, which `serve` must not pass over: see `UnenforcedRule`.
        case access
        /// It is known, but this hub does not do it; the sentence says what to do instead.
        case refused(String)
    }

    var name: String
    var locations: Set<DirectiveLocation>
    var isRepeatable = false
    var arguments: [DirectiveArgument] = []
    var fate: Fate = .supported

    /// The rules by name.
    static let all: [String: DirectiveRule] = Dictionary(
        uniqueKeysWithValues: (shaping + access + refused).map { ($0.name, $0) })
}

/// An argument of a directive, or a member of an object that is one.
struct DirectiveArgument: Sendable {
    var name: String
    var type: DirectiveValueType
    var isRequired = false

    init(_ name: String, _ type: DirectiveValueType, isRequired: Bool = false) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
    }
}

/// What a directive's argument may be given.
indirect enum DirectiveValueType: Sendable {
    case string
    /// A string that names something of the API: it must be a name there (GraphQL 2.1.9).
    case apiName
    case integer
    case boolean
    /// One of these bare names.
    case name([String])
    case list(DirectiveValueType)
    case object([DirectiveArgument])

    /// In the words of an error message.
    var words: String {
        switch self {
        case .string: "a string"
        case .apiName: "a name"
        case .integer: "a whole number"
        case .boolean: "true or false"
        case .name(let names): "one of \(names.joined(separator: ", "))"
        case .list(let item): "a list, each item \(item.words)"
        case .object: "an object"
        }
    }
}

/// A directive whose arguments have been checked against its rule.
struct CheckedDirective {
    var name: String
    var offset: Int
    private var arguments: [String: Literal]

    init(_ directive: Directive) {
        name = directive.name.text.string
        offset = directive.offset
        arguments = Dictionary(
            directive.arguments.map { ($0.name.text.string, $0.value) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The argument as it is written; nil if it is left out.
    subscript(name: String) -> Literal? { arguments[name] }

    /// A string argument; nil if it is left out or null.
    func string(_ name: String) -> String? { arguments[name]?.string?.string }

    /// A whole number; nil if it is left out or null.
    func integer(_ name: String) -> Int? {
        if case .int(let digits)? = arguments[name]?.kind { Int(digits.string) } else { nil }
    }

    /// A list of names with their places; nil if it is left out or null. One string is a list
    /// of one.
    func names(_ name: String) -> [Name]? {
        switch arguments[name]?.kind {
        case .list(let items):
            items.compactMap { item in
                item.string.map { Name($0, offset: item.offset) }
            }
        case .string(let text): [Name(text, offset: arguments[name]?.offset ?? offset)]
        default: nil
        }
    }

    /// A string with its place.
    func name(_ name: String) -> Name? {
        guard let literal = arguments[name], let text = literal.string else { return nil }
        return Name(text, offset: literal.offset)
    }
}

extension Literal {
    /// The members of an object by name; nil for every other value.
    var members: [String: Literal]? {
        guard case .object(let fields) = kind else { return nil }
        return Dictionary(
            fields.map { ($0.name.text.string, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
