extension HostileFamily {
    static let variables: [HostileFamily] = [
        HostileFamily(
            "as many uses as variables",
            variables: { n in "{\(many(n) { "\"v\($0)\":\"x\"," })\"z\":1}" }
        ) { n in
            "query (\(many(n) { "$v\($0):String " })) "
                + "{ arguments { list(l: [\(many(n) { "$v\($0) " })]) } }"
        },
        HostileFamily(
            "as many fields as variables",
            variables: { n in "{\(many(n) { "\"v\($0)\":1," })\"z\":1}" }
        ) { n in
            "query (\(many(n) { "$v\($0):Int " })) "
                + "{ arguments { \(many(n) { "a\($0):int(n:$v\($0))" })} }"
        },
        HostileFamily(
            "as many conditions as variables",
            variables: { n in "{\(many(n) { "\"v\($0)\":true," })\"z\":1}" }
        ) { n in
            "query (\(many(n) { "$v\($0):Boolean! " })) "
                + "{ dog { \(many(n) { "id @skip(if:$v\($0))" })} }"
        },
        HostileFamily("required variables that are not given") { n in
            "query (\(many(n) { "$v\($0):String!" })) "
                + "{ arguments { list(l: [\(many(n) { "$v\($0) " })]) } }"
        },
        HostileFamily("unused variables", isRefused: true) { n in
            "query (\(many(n) { "$v\($0):Int " })) { dog { id } }"
        },
        HostileFamily("one variable, declared again and again", isRefused: true) { n in
            "query (\(many(n, "$v:Int "))) { arguments { int(n: $v) } }"
        },
        HostileFamily("undeclared variables", isRefused: true) { n in
            "{ arguments { list(l: [\(many(n) { "$v\($0) " })]) } }"
        },
        HostileFamily("variables in a wrong position", isRefused: true) { n in
            "query (\(many(n) { "$v\($0):Int " })) "
                + "{ arguments { list(l: [\(many(n) { "$v\($0) " })]) } }"
        },
        HostileFamily("operations over fragments with variables", isRefused: true) { n in
            many(n) { "query Q\($0)($s:Boolean){...F0}" }
                + many(n) { "fragment F\($0) on Query{...F\($0 + 1) dog{name(surname:$s)}}" }
                + "fragment F\(n) on Query { dog { id } }"
        },
        HostileFamily("operations over one fragment of many variables", isRefused: true) { n in
            many(n) { "query Q\($0)($s:Boolean){...F}" }
                + "fragment F on Query{ dog{ \(many(n, "name(surname:$s)")) } }"
        },
        HostileFamily("operations over plain fragments") { n in
            many(n) { "query Q\($0){...F0}" }
                + many(n) { "fragment F\($0) on Query{...F\($0 + 1)}" }
                + "fragment F\(n) on Query { dog { id } }"
        },
        HostileFamily("operations") { n in many(n) { "query Q\($0){dog{id}}" } },
        HostileFamily("subscriptions over one fragment of many fields", isRefused: true) { n in
            many(n) { "subscription S\($0){...F}" }
                + "fragment F on Subscription { \(many(n) { "a\($0):dog{id}" })}"
        },
    ]

    static let words: [HostileFamily] = [
        HostileFamily("one long name", isRefused: true) { n in "{ \(many(n, "x")) }" },
        HostileFamily("one long alias") { n in "{ \(many(n, "x")):__typename }" },
        HostileFamily("one long string") { n in
            "{ arguments { text(s: \"\(many(n, "x"))\") } }"
        },
        HostileFamily("one string of escapes") { n in
            "{ arguments { text(s: \"\(many(n, #"\u{1F600}"#))\") } }"
        },
        HostileFamily("one string of surrogates") { n in
            "{ arguments { text(s: \"\(many(n, #"\ud83d\ude00"#))\") } }"
        },
        HostileFamily("one block string of lines") { n in
            "{ arguments { text(s: \"\"\"\(many(n, "  x\n"))\"\"\") } }"
        },
        HostileFamily("one block string of blanks") { n in
            "{ arguments { text(s: \"\"\"x\(many(n, " \n"))\"\"\") } }"
        },
        HostileFamily("one block string of quotes") { n in
            "{ arguments { text(s: \"\"\"\(many(n, #"\""" "#))\"\"\") } }"
        },
        HostileFamily("one string that is not closed", isRefused: true) { n in
            "{ arguments { text(s: \"\(many(n, "x"))"
        },
        HostileFamily("short strings") { n in
            "{ arguments { list(l: [\(many(n, "\"\""))]) } }"
        },
        HostileFamily("one comment") { n in "{ dog { id } } #\(many(n, "x"))" },
        HostileFamily("comments") { n in "{ dog { id } \(many(n, "#\n")) }" },
        HostileFamily("byte order marks") { n in "\(many(n, "\u{feff}")) { dog { id } }" },
        HostileFamily("commas") { n in "{ dog { id } \(many(n, ",")) }" },
        HostileFamily("long numbers", isRefused: true) { n in
            "{ arguments { int(n: \(many(n, "1"))) } }"
        },
        HostileFamily("one long float", isRefused: true) { n in
            "{ arguments { float(n: 1\(many(n, "0")).5e1) } }"
        },
        HostileFamily("floats of many digits") { n in
            let long = "0." + many(700, "9") + "e-300"
            return "{ arguments { \(many(n) { "a\($0):float(n:\(long))" }) } }"
        },
        HostileFamily("lines of errors", isRefused: true) { n in "{ \(many(n, "\r\nnope"))}" },
    ]
}
