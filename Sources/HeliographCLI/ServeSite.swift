import Bytes
import Hub

/// The web pages that `heliograph serve` lets in, and the names that it is asked under.
enum ServeSite {
    static let options: (heading: String, options: [Option]) = (
        "browsers",
        [
            Option(
                "--cors-origin", "ORIGIN",
                "let in the web pages of scheme://host[:port], several times; * for all",
                isRepeatable: true),
            Option(
                "--host-name", "NAME",
                "be asked under this name, several times; localhost and addresses always are",
                defaultText: "any name; with --no-auth none", isRepeatable: true),
        ]
    )

    /// The rules that the options make.
    ///
    /// - Parameter isOpen: whether the hub asks for no key.
    static func rules(_ arguments: Arguments, isOpen: Bool) throws(CommandFailure) -> SiteRules {
        var rules = SiteRules()
        // Nothing but the name stands between such a hub and a page that has its own name lead
        // to this machine.
        if isOpen { rules.admitLocalNamesOnly() }
        for text in arguments.lists["--cors-origin"] ?? [] {
            if text == "*", isOpen {
                throw .usage(
                    "--cors-origin * would open a hub that asks for no key to every web page: "
                        + "name the origins, or leave --no-auth out")
            }
            do throws(SiteRuleError) {
                try rules.admit(origin: Text(text))
            } catch {
                throw .usage("--cors-origin \(text): \(error)")
            }
        }
        for text in arguments.lists["--host-name"] ?? [] {
            do throws(SiteRuleError) {
                try rules.admit(hostName: Text(text))
            } catch {
                throw .usage("--host-name \(text): \(error)")
            }
        }
        return rules
    }

    /// What the banner says of them.
    static func announce(_ arguments: Arguments) {
        if let origins = arguments.lists["--cors-origin"] {
            Console.err("  pages    \(origins.joined(separator: ", "))")
        }
        if let names = arguments.lists["--host-name"] {
            Console.err("  names    \(names.joined(separator: ", "))")
        }
    }
}
