/// English plurals as the npm package `pluralize` forms them, which AppSync's transformers and
/// client code generators use for `list…` names and default index names (AppSync contract 4.8).
///
/// Only ASCII is looked at: GraphQL names are ASCII.
enum Plural {
    /// The plural of a name; only its ending is changed, so that `UserReply` gives `UserReplies`.
    static func of(_ name: String) -> String {
        let lower = name.lowercased()
        if uncountable.contains(lower) || sameInPlural(lower) { return name }
        if let irregular = irregular[lower] { return matchCase(of: name, irregular) }
        if irregularPlurals.contains(lower) { return name }
        for rule in rules {
            guard let ending = rule.ending(of: lower) else { continue }
            let kept = name.dropLast(ending.count)
            return kept + matchCase(of: String(name.suffix(ending.count)), ending.plural)
        }
        return name + matchCase(of: String(name.suffix(1)), lower.hasSuffix("s") ? "" : "s")
    }

    /// Gives the plural the case of what it replaces: lower, UPPER or Capitalised.
    private static func matchCase(of pattern: String, _ text: String) -> String {
        if pattern == pattern.lowercased() { return text.lowercased() }
        if pattern == pattern.uppercased() { return text.uppercased() }
        if let first = pattern.first, first.isUppercase {
            return text.prefix(1).uppercased() + text.dropFirst().lowercased()
        }
        return text.lowercased()
    }

    /// What a rule found: so many characters of the word's end become `plural`.
    private struct Ending {
        var count: Int
        var plural: String
    }

    /// One rule: words that end in one of `stems` and then one of `endings` get `plural` instead
    /// of the ending, unless what stands before forbids it.
    private struct Rule: Sendable {
        var stems: [String]
        var endings: [String]
        var plural: String
        /// A test of what stands before stem and ending.
        var before: @Sendable (Substring) -> Bool = { _ in true }

        func ending(of word: String) -> Ending? {
            for ending in endings where word.hasSuffix(ending) {
                let rest = word.dropLast(ending.count)
                for stem in stems where rest.hasSuffix(stem) && before(rest.dropLast(stem.count)) {
                    return Ending(count: stem.count + ending.count, plural: stem + plural)
                }
            }
            return nil
        }
    }

    private static func ends(_ word: Substring, inOneOf letters: String) -> Bool {
        word.last.map(letters.contains) ?? false
    }

    private static func ends(_ word: Substring, notInOneOf letters: String) -> Bool {
        word.last.map { !letters.contains($0) } ?? false
    }

    /// The rules; the first that fits is taken.
    private static let rules: [Rule] = [
        Rule(stems: ["m"], endings: ["an", "en"], plural: "en"),
        Rule(stems: ["eaux"], endings: [""], plural: ""),
        Rule(stems: ["child"], endings: ["ren", ""], plural: "ren"),
        Rule(stems: ["pe"], endings: ["rson", "ople"], plural: "ople"),
        Rule(
            stems: ["titm", "m", "l"], endings: ["ice", "ouse"], plural: "ice",
            before: { $0.isEmpty }),
        Rule(
            stems: ["matr", "cod", "mur", "sil", "vert", "ind", "append"], endings: ["ix", "ex"],
            plural: "ices"),
        Rule(stems: ["x", "ch", "ss", "sh", "zz"], endings: [""], plural: "es"),
        Rule(
            stems: ["il", "in", "el", "en", "ol", "on"], endings: ["ey"], plural: "ies",
            before: { ends($0, notInOneOf: "ch") }),
        Rule(stems: ["qu"], endings: ["y"], plural: "ies"),
        Rule(
            stems: [""], endings: ["y"], plural: "ies", before: { ends($0, notInOneOf: "aeiouy") }),
        Rule(stems: ["kni", "wi", "li"], endings: ["fe"], plural: "ves"),
        Rule(stems: ["ar", "l", "ea", "eo", "oa", "hoo"], endings: ["f"], plural: "ves"),
        Rule(stems: ["s"], endings: ["is"], plural: "es"),
        Rule(
            stems: [
                "apheli", "hyperbat", "periheli", "asyndet", "noumen", "phenomen", "criteri",
                "organ", "prolegomen", "hedr", "automat",
            ], endings: ["a", "on"], plural: "a"),
        Rule(
            stems: [
                "agend", "addend", "millenni", "dat", "extrem", "bacteri", "desiderat", "strat",
                "candelabr", "errat", "ov", "symposi", "curricul", "quor",
            ], endings: ["a", "um"], plural: "a"),
        Rule(stems: ["her", "at", "gr"], endings: ["o"], plural: "oes"),
        Rule(stems: ["seraph", "cherub"], endings: ["im", ""], plural: "im"),
        Rule(stems: ["alumn", "alg", "vertebr"], endings: ["ae", "a"], plural: "ae"),
        Rule(
            stems: [
                "alumn", "syllab", "vir", "radi", "nucle", "fung", "cact", "stimul", "termin",
                "bacill", "foc", "uter", "loc", "strat",
            ], endings: ["us", "i"], plural: "i"),
        Rule(stems: ["iam", "uam"], endings: [""], plural: ""),
        Rule(stems: ["eas", "jas", "zas", "ras"], endings: [""], plural: ""),
        Rule(
            stems: ["las"], endings: [""], plural: "", before: { ends($0, inOneOf: "aeiou") }),
        Rule(stems: ["ias"], endings: [""], plural: "", before: { ends($0, notInOneOf: "l") }),
        Rule(stems: ["emu", "enu"], endings: ["s", ""], plural: "s"),
        Rule(stems: ["alias", "tlas", "tmas", "gas", "ris"], endings: [""], plural: "es"),
        Rule(stems: ["us"], endings: [""], plural: "es", before: { ends($0, notInOneOf: "aou") }),
        Rule(stems: ["ax", "test"], endings: ["is"], plural: "es"),
    ]

    private static func sameInPlural(_ word: String) -> Bool {
        let endings = ["pokemon", "deer", "fish", "measles", "ois", "ous", "pox", "sheep"]
        if endings.contains(where: word.hasSuffix) { return true }
        return word.hasSuffix("ese") && ends(word.dropLast(3), notInOneOf: "aeiou")
    }

    private static let irregular: [String: String] = [
        "i": "we", "me": "us", "he": "they", "she": "they", "them": "them", "myself": "ourselves",
        "yourself": "yourselves", "itself": "themselves", "herself": "themselves",
        "himself": "themselves", "themself": "themselves", "is": "are", "was": "were",
        "has": "have", "this": "these", "that": "those", "my": "our", "its": "their",
        "their": "their", "thou": "you", "echo": "echoes", "dingo": "dingoes",
        "volcano": "volcanoes", "tornado": "tornadoes", "torpedo": "torpedoes",
        "genus": "genera", "viscus": "viscera", "stigma": "stigmata", "stoma": "stomata",
        "dogma": "dogmata", "lemma": "lemmata", "schema": "schemata", "anathema": "anathemata",
        "ox": "oxen", "axe": "axes", "die": "dice", "yes": "yeses", "foot": "feet",
        "eave": "eaves", "goose": "geese", "tooth": "teeth", "quiz": "quizzes",
        "human": "humans", "proof": "proofs", "carve": "carves", "valve": "valves",
        "looey": "looies", "thief": "thieves", "groove": "grooves", "pickaxe": "pickaxes",
        "passerby": "passersby", "canvas": "canvases",
    ]

    private static let irregularPlurals = Set(irregular.values)

    private static let uncountable: Set<String> = [
        "adulthood", "advice", "agenda", "aid", "aircraft", "alcohol", "ammo", "analytics",
        "anime", "athletics", "audio", "bison", "blood", "bream", "buffalo", "butter", "carp",
        "cash", "chassis", "chess", "clothing", "cod", "commerce", "cooperation", "corps",
        "debris", "diabetes", "digestion", "elk", "energy", "equipment", "excretion",
        "expertise", "firmware", "flounder", "fun", "gallows", "garbage", "graffiti",
        "hardware", "headquarters", "health", "herpes", "highjinks", "homework", "housework",
        "information", "jeans", "justice", "kudos", "labour", "literature", "machinery",
        "mackerel", "mail", "manga", "media", "mews", "moose", "mud", "music", "news", "only",
        "personnel", "pike", "plankton", "pliers", "police", "pollution", "premises", "rain",
        "research", "rice", "salmon", "scissors", "series", "sewage", "shambles", "shrimp",
        "software", "staff", "swine", "tennis", "traffic", "transportation", "trout", "tuna",
        "wealth", "welfare", "whiting", "wildebeest", "wildlife", "you",
    ]
}
