import Bytes
import GraphQL
import JSON

/// Checks the directives of one place against their rules: nothing unknown passes.
struct DirectiveChecker {
    /// Where the directives stand, in words and as rules count it.
    let location: DirectiveLocation
    let type: Name
    let field: Name?

    /// Checks the directives; gives those that shape the API and notes those that restrict access.
    func check(
        _ directives: [Directive], errors: inout ErrorList, unenforced: inout [UnenforcedRule],
        in document: Document
    ) -> [CheckedDirective] {
        var seen: Set<String> = []
        var checked: [CheckedDirective] = []
        for directive in directives {
            let name = directive.name.text.string
            guard let rule = DirectiveRule.all[name] else {
                errors.add(
                    "unknown directive @\(name)", at: directive.offset,
                    suggestion: Names.nearest(to: name, among: DirectiveRule.all.keys.sorted())
                        .map { "did you mean @\($0)?" })
                continue
            }
            if case .refused(let instead) = rule.fate {
                errors.add(
                    "@\(name) is not supported", at: directive.offset, suggestion: instead)
                continue
            }
            guard rule.locations.contains(location) else {
                errors.add(
                    "@\(name) cannot stand \(Self.words(location))", at: directive.offset,
                    suggestion: "it stands "
                        + rule.locations.map(Self.words).sorted().joined(separator: " or "))
                continue
            }
            if !seen.insert(name).inserted && !rule.isRepeatable {
                errors.add("@\(name) stands here twice", at: directive.offset)
                continue
            }
            check(directive.arguments, rule: rule, at: directive.offset, errors: &errors)
            if case .access = rule.fate {
                unenforced.append(self.rule(directive, in: document))
            } else {
                checked.append(CheckedDirective(directive))
            }
        }
        return checked
    }

    private func rule(_ directive: Directive, in document: Document) -> UnenforcedRule {
        var arguments = JSONObject()
        for argument in directive.arguments {
            // Numbers out of range were refused above, so that only they could be nil here.
            arguments[argument.name.text] = argument.value.untyped { _ in nil } ?? .null
        }
        return UnenforcedRule(
            directive: directive.name.text, type: type.text, field: field?.text,
            location: document.location(at: directive.offset), arguments: arguments)
    }

    private func check(
        _ arguments: [Argument], rule: DirectiveRule, at offset: Int, errors: inout ErrorList
    ) {
        check(
            arguments, against: rule.arguments, owner: "@\(rule.name)", at: offset,
            errors: &errors)
    }

    private func check(
        _ arguments: [Argument], against known: [DirectiveArgument], owner: String,
        at offset: Int, errors: inout ErrorList
    ) {
        var seen: Set<Text> = []
        for argument in arguments {
            let name = argument.name
            guard let rule = known.first(where: { $0.name == name.text.string }) else {
                errors.add(
                    "unknown argument \(name.text) of \(owner)", at: name,
                    among: known.map(\.name))
                continue
            }
            if !seen.insert(name.text).inserted {
                errors.add("argument \(name.text) of \(owner) is given twice", at: name.offset)
            }
            let words = "\(owner)(\(name.text):)"
            if argument.value.isNull && rule.isRequired {
                errors.add("\(words) cannot be null", at: argument.value.offset)
            } else if !argument.value.isNull {
                check(argument.value, is: rule.type, words: words, errors: &errors)
            }
        }
        for rule in known where rule.isRequired && !seen.contains(Text(rule.name)) {
            errors.add("\(owner) needs the argument \(rule.name)", at: offset)
        }
    }

    private func check(
        _ value: Literal, is type: DirectiveValueType, words: String, errors: inout ErrorList
    ) {
        switch (type, value.kind) {
        case (.string, .string), (.integer, .int), (.boolean, .boolean): return
        case (.apiName, .string(let text)):
            if Names.isAllowed(text) { return }
            errors.add(
                "\(words) wants a name, not this string", at: value.offset,
                suggestion: "letters, digits and _, with no digit and no two _ at the front")
        case (.name(let names), .enumValue(let name)):
            if names.contains(name.string) { return }
            errors.add(
                "\(words) cannot be \(name)", at: value.offset,
                suggestion: Names.nearest(to: name.string, among: names)
                    .map { "did you mean \($0)?" } ?? "it is \(type.words)")
            return
        case (.list(let item), .list(let items)):
            for value in items { check(value, is: item, words: words, errors: &errors) }
            return
        // One value where a list is wanted is a list of one (GraphQL 3.11).
        case (.list(let item), _):
            check(value, is: item, words: words, errors: &errors)
            return
        case (.object(let known), .object(let fields)):
            check(fields, against: known, owner: words, at: value.offset, errors: &errors)
            return
        default:
            errors.add("\(words) wants \(type.words), not \(value.kindName)", at: value.offset)
        }
    }

    private static func words(_ location: DirectiveLocation) -> String {
        switch location {
        case .object: "on a type"
        case .fieldDefinition: "on a field"
        case .enumValue: "on a value of an enum"
        case .enumeration: "on an enum"
        case .inputObject: "on an input type"
        case .schema: "on the schema"
        default: "here"
        }
    }
}
