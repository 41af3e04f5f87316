extension HostileFamily {
    static let nesting: [HostileFamily] = [
        HostileFamily("selections in selections", isRefused: true) { n in many(n, "{a") },
        HostileFamily("lists in lists", isRefused: true) { n in "{ a(b:\(many(n, "["))" },
        HostileFamily("objects in objects", isRefused: true) { n in "{ a(b:\(many(n, "{a:"))" },
        HostileFamily("list types in list types", isRefused: true) { n in
            "query ($a: \(many(n, "["))"
        },
        HostileFamily("inline fragments in each other", isRefused: true) { n in
            many(n, "{...")
        },
        HostileFamily("lists of 90 levels", isRefused: true) { n in
            let deep = many(90, "[") + many(90, "]")
            return "{ arguments { matrix(m: [\(many(n, deep + " "))]) } }"
        },
        HostileFamily("list types of 90 levels", isRefused: true) { n in
            let deep = many(90, "[") + "Int" + many(90, "]")
            return "query (\(many(n) { "$v\($0):\(deep)" })) { dog { id } }"
        },
        HostileFamily("fields of 90 levels") { n in
            let deep = { (i: Int) in "dog{" + many(90, "mother{") + "m\(i):id" + many(91, "}") }
            return "{ \(many(n) { deep($0) + " " })}"
        },
        HostileFamily("introspection in itself", isRefused: true) { n in
            let deep = many(20, "fields{type{") + "name" + many(40, "}")
            return "{ __schema { types { \(many(n, deep + " "))} } }"
        },
        HostileFamily("introspection's roots in each other", isRefused: true) { n in
            many(60, "{__schema") + "{ types { \(many(n, "name "))} }" + many(60, "}")
        },
        HostileFamily("objects of names in turned order") { n in
            let one = many(50) { "a\($0):1 " }
            let other = many(50) { "a\(49 - $0):1 " }
            let pair = "search(by:{required:true \(one)})search(by:{required:true \(other)})"
            return "{ arguments { \(many(n, pair)) } }"
        },
        HostileFamily("all of introspection, many times") { n in
            "{ \(many(n) { "s\($0):__schema{types{name fields{name type{name}}}}" })}"
        },
    ]

    static let floods: [HostileFamily] = [
        HostileFamily("unknown fields", isRefused: true) { n in "{ \(many(n) { "nope\($0) " })}" },
        HostileFamily("unknown fields, spelt almost right", isRefused: true) { n in
            "{ dog { \(many(n, "barkvolumes "))} }"
        },
        HostileFamily("unknown fields of long names", isRefused: true) { n in
            let long = many(120, "x")
            return "{ \(many(n) { "\(long)\($0) " })}"
        },
        HostileFamily("unknown arguments", isRefused: true) { n in
            "{ dog(\(many(n) { "nope\($0):1 " })) { id } }"
        },
        HostileFamily("unknown types", isRefused: true) { n in
            "query (\(many(n) { "$v\($0):Nope\($0) " })) { dog { id } }"
        },
        HostileFamily("unknown enum values", isRefused: true) { n in
            "{ dog { friends(kinds: [\(many(n, "DOGGY "))]) { id } } }"
        },
        HostileFamily("values of a wrong type", isRefused: true) { n in
            "{ arguments { list(l: [\(many(n, "1 "))]) } }"
        },
        HostileFamily("unknown input fields", isRefused: true) { n in
            "{ arguments { search(by: {required: true \(many(n) { "nope\($0):1 " })}) } }"
        },
        HostileFamily("fields without a selection", isRefused: true) { n in
            "{ \(many(n) { "a\($0):dog " })}"
        },
    ]

    static let repeats: [HostileFamily] = [
        HostileFamily("__typename", isRefused: false) { n in "{ \(many(n, "__typename "))}" },
        HostileFamily("__typename under aliases") { n in "{ \(many(n) { "t\($0):__typename " })}" },
        HostileFamily("aliases of one field") { n in "{ dog { \(many(n) { "a\($0):id " })} }" },
        HostileFamily("aliases of a field with arguments") { n in
            "{ arguments { \(many(n) { "a\($0):two(a:1,b:2)" })} }"
        },
        HostileFamily("one directive at one place", isRefused: true) { n in
            "{ dog { id \(many(n, "@note "))} }"
        },
        HostileFamily("a repeatable directive at one place") { n in
            "{ dog { id \(many(n, "@tag(name:\"a\")"))} }"
        },
        HostileFamily("unknown directives at one place", isRefused: true) { n in
            "{ dog { id \(many(n) { "@d\($0) " })} }"
        },
        HostileFamily("a directive at many places") { n in
            "{ dog { \(many(n, "id @include(if:true)"))} }"
        },
        HostileFamily("one argument, again and again", isRefused: true) { n in
            "{ keeper(\(many(n, "id:1 "))) { id } }"
        },
        HostileFamily("one input field, again and again", isRefused: true) { n in
            "{ arguments { search(by: {\(many(n, "int:1 "))}) } }"
        },
        HostileFamily("a list of objects") { n in
            let object = "{required:true point:{x:1 y:2} colours:[BLACK]}"
            return "{ arguments { search(by: {required:true and:[\(many(n, object))]}) } }"
        },
        HostileFamily("operations of one name", isRefused: true) { n in
            many(n, "query Q{dog{id}}")
        },
        HostileFamily("operations without a name", isRefused: true) { n in many(n, "{dog{id}}") },
        HostileFamily("a subscription of many fields", isRefused: true) { n in
            "subscription { \(many(n) { "a\($0):dogs{id}" })}"
        },
    ]
}
