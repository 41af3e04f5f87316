extension HostileFamily {
    /// Overlapping fields (CVE-2023-26144 and its kin; the attack on Sangria).
    static let merging: [HostileFamily] = [
        HostileFamily("one field, again and again") { n in "{ dog { \(many(n, "id "))} }" },
        HostileFamily("one field with a selection") { n in "{ \(many(n, "dog{id}"))}" },
        HostileFamily("one field with arguments") { n in
            "{ arguments { \(many(n, "two(a: 1, b: 2)"))} }"
        },
        HostileFamily("one field, another argument each time", isRefused: true) { n in
            "{ arguments { \(many(n) { "int(n:\($0))" })} }"
        },
        HostileFamily("two types' fields of one name in turn", isRefused: true) { n in
            "{ pet { \(many(n, "... on Dog{x:weight}... on Cat{x:weight}"))} }"
        },
        HostileFamily("one field in inline fragments") { n in "{ \(many(n, "...{dog{id}}"))}" },
        HostileFamily("nested selections, twice") { n in
            let deep = many(40, "mother{") + "id" + many(40, "}")
            return "{ dog { \(many(n, deep + " "))} }"
        },
        HostileFamily("nested selections of own arguments", isRefused: true) { n in
            let deep = { (i: Int) in many(20, "mother{") + "name(surname:$v\(i))" + many(20, "}") }
            return "query { dog { \(many(n) { deep($0) + " " })} }"
        },
        HostileFamily("many names under repeated fields") { n in
            let names = many(40) { "a\($0):id " }
            return "{ \(many(n, "dog{\(names)}"))}"
        },
        HostileFamily("a selection per type of a union") { n in
            let types = "... on Dog{name}... on Cat{name}... on Keeper{name}"
            return "{ being { \(many(n, types))} }"
        },
        HostileFamily("combinations of fragments", isRefused: true) { n in
            combinations(levels: n)
        },
    ]

    /// What meets at a position is told by the levels at which "a" was chosen: 2 to the n sets.
    private static func combinations(levels: Int) -> String {
        var text = "{ dog { ...A0 } } fragment A\(levels) on Dog { id }"
        for level in 0..<levels {
            let next = level + 1
            text += "fragment A\(level) on Dog{a:mother{...A\(next)...B\(next)x1}"
            text += "b:mother{...A\(next)}}"
            for age in 1...level + 1 {
                let older = next < levels ? "...B\(next + 1)x\(age + 1)" : "id"
                text += "fragment B\(next)x\(age) on Dog{a:mother{\(older)}b:mother{\(older)}}"
            }
        }
        return text
    }

    static let fragments: [HostileFamily] = [
        HostileFamily("a chain of fragments") { n in
            "{ ...F0 } \(many(n) { "fragment F\($0) on Query{...F\($0 + 1)}" })"
                + "fragment F\(n) on Query { dog { id } }"
        },
        HostileFamily("a chain of fragments, the last first") { n in
            "{ ...F\(n) } \(many(n) { "fragment F\($0 + 1) on Query{...F\($0)}" })"
                + "fragment F0 on Query { dog { id } }"
        },
        HostileFamily("a chain that spreads the next twice") { n in
            "{ ...F0 } \(many(n) { "fragment F\($0) on Query{...F\($0 + 1)...F\($0 + 1)}" })"
                + "fragment F\(n) on Query { dog { id } }"
        },
        HostileFamily("a chain of fields", isRefused: true) { n in
            "{ dog { ...F0 } } \(many(n) { "fragment F\($0) on Dog{mother{...F\($0 + 1)}}" })"
                + "fragment F\(n) on Dog { id }"
        },
        HostileFamily("one cycle", isRefused: true) { n in
            "{ ...F0 } \(many(n) { "fragment F\($0) on Query{...F\(($0 + 1) % n)}" })"
        },
        HostileFamily("fragments that spread themselves", isRefused: true) { n in
            many(n) { "fragment F\($0) on Query{...F\($0)}" }
        },
        HostileFamily("each spreads all", isRefused: true) { n in
            let all = { (count: Int) in many(count) { "...F\($0)" } }
            let count = Int(Double(n).squareRoot()) + 1
            return "{ ...F0 } \(many(count) { "fragment F\($0) on Query{\(all(count))}" })"
        },
        HostileFamily("each spreads all that follow") { n in
            let count = Int(Double(n).squareRoot()) + 1
            return "{ ...F0 } "
                + many(count) { i in
                    "fragment F\(i) on Query{a:dog{id}\(many(count - i) { "...F\(i + 1 + $0)" })}"
                } + "fragment F\(count) on Query { dog { id } }"
        },
        HostileFamily("each spreads all that follow, in fields") { n in
            let count = Int(Double(n).squareRoot()) + 1
            return "{ dog { ...F0 } } "
                + many(count) { i in
                    let next = many(count - i) { "...F\(i + 1 + $0)" }
                    return "fragment F\(i) on Dog{mother{\(next)}father{\(next)}}"
                } + "fragment F\(count) on Dog { id }"
        },
        HostileFamily("fragments that double, in fields", isRefused: true) { n in
            "{ dog { ...F0 } } "
                + many(n) {
                    "fragment F\($0) on Dog{a:mother{...F\($0 + 1)}b:mother{...F\($0 + 1)}}"
                }
                + "fragment F\(n) on Dog { id }"
        },
        HostileFamily("one large fragment in many fields") { n in
            "{ \(many(n) { "d\($0):dog{...F}" })} fragment F on Dog { \(many(n) { "n\($0):id " })}"
        },
        HostileFamily(
            "one large fragment in many fields, on conditions", variables: { _ in "{\"s\":false}" }
        ) { n in
            "query ($s: Boolean!) { \(many(n) { "d\($0):dog@skip(if:$s){...F}" })}"
                + "fragment F on Dog { \(many(n, "id "))}"
        },
        HostileFamily("one large fragment beside one field each") { n in
            "{ \(many(n) { "d\($0):dog{...F x\($0):id}" })}"
                + "fragment F on Dog { \(many(n) { "n\($0):id " })}"
        },
        HostileFamily("unused fragments", isRefused: true) { n in
            "{ dog { id } } \(many(n) { "fragment F\($0) on Dog{id}" })"
        },
        HostileFamily("spreads of no fragment", isRefused: true) { n in
            "{ \(many(n) { "...F\($0) " })}"
        },
        HostileFamily("spreads that cannot be", isRefused: true) { n in
            "{ dog { \(many(n, "...on Cat{id}"))} }"
        },
        HostileFamily("one fragment, spread again and again") { n in
            "{ dog { \(many(n, "...F "))} } fragment F on Dog { id name nickname }"
        },
        HostileFamily("fragments of one name", isRefused: true) { n in
            "{ ...F } \(many(n, "fragment F on Query{dog{id}}"))"
        },
    ]
}
