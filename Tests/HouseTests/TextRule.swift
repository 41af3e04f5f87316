import Glibc

/// Rules for every text file: what it may not mention, and its measures.
enum TextRule {
    /// Words that mark something unfinished. Open ends are issues. (Cut in two here and below, so
    /// that this file passes its own check.)
    private static let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]

    /// Beginnings of paths that exist on one developer's machine only.
    private static let homes = ["/ro" + "ot/", "/ho" + "me/", "/Us" + "ers/", "/wo" + "rk/"]

    /// Columns a line may have.
    static let columnsMax = 100

    /// Columns a line of a test may have that is hardly more than a literal: documents and
    /// responses are easier to read and to compare when they are not cut.
    static let sampleColumnsMax = 120

    /// Checks one file. Swift files are measured as well.
    static func violations(
        path: String, bytes: [UInt8], longFiles: [String: Int] = HousePlan.longFiles
    ) -> [Violation] {
        var found: [Violation] = []
        func report(_ line: Int, _ rule: String, _ instead: String) {
            found.append(Violation(path: path, line: line, rule: rule, instead: instead))
        }
        for mark in marks {
            for place in places(of: mark, in: bytes) where isWholeWord(mark, at: place, in: bytes) {
                report(
                    line(of: place, in: bytes), "the mark \(mark)",
                    "finish it, or open an issue and leave no mark")
            }
        }
        for home in homes {
            for place in places(of: home, in: bytes) where isPathStart(place, in: bytes) {
                report(
                    line(of: place, in: bytes), "a path of a developer's machine (\(home))",
                    "use a path within the package")
            }
        }
        guard path.hasSuffix(".swift") else { return found }
        var count = 0
        var start = 0
        for end in places(of: "\n", in: bytes) + [bytes.count] where start < bytes.count {
            count += 1
            let line = bytes[start..<end]
            if line.count > columnsMax, columns(of: line) > columnsMax {
                let isSample = path.hasPrefix("Tests/") && isLiteral(start..<end, in: bytes)
                let most = isSample ? sampleColumnsMax : columnsMax
                if columns(of: line) > most {
                    report(count, "line of \(columns(of: line)) columns", "keep to \(most)")
                }
            }
            start = end + 1
        }
        let linesMax = longFiles[path] ?? HousePlan.fileLinesMax
        if count > linesMax {
            report(
                count, "file of \(count) lines, over \(linesMax)",
                "give its second subject a file of its own")
        }
        return found
    }

    /// Characters, not bytes: continuation bytes do not count.
    private static func columns(of line: ArraySlice<UInt8>) -> Int {
        line.count { $0 & 0xc0 != 0x80 }
    }

    /// Whether hardly any code is left of the line without the insides of its literals.
    private static func isLiteral(_ line: Range<Int>, in bytes: [UInt8]) -> Bool {
        let text = bytes[line].drop { $0 == 0x20 }
        let isComment = text.starts(with: "//".utf8)
        return !isComment && CodeMask.mask(bytes)[line].count { $0 > 0x20 } <= 24
    }

    private static func line(of place: Int, in bytes: [UInt8]) -> Int {
        1 + bytes[..<place].count { $0 == 0x0a }
    }

    /// Not a part of a longer word.
    private static func isWholeWord(_ word: String, at place: Int, in bytes: [UInt8]) -> Bool {
        let end = place + word.utf8.count
        return !(place > 0 && isWordByte(bytes[place - 1]))
            && !(end < bytes.count && isWordByte(bytes[end]))
    }

    /// Not in the middle of a longer path or of a URL: there it is somebody else's folder.
    private static func isPathStart(_ place: Int, in bytes: [UInt8]) -> Bool {
        guard place > 0 else { return true }
        let before = bytes[place - 1]
        return !isWordByte(before) && !"./*}~".utf8.contains(before)
    }

    private static func places(of needle: String, in bytes: [UInt8]) -> [Int] {
        let needle = Array(needle.utf8)
        return bytes.withUnsafeBytes { all in
            var places: [Int] = []
            var from = 0
            while let base = all.baseAddress, from + needle.count <= all.count,
                let hit = memchr(base + from, Int32(needle[0]), all.count - from)
            {
                let place = UnsafeRawPointer(hit) - base
                let isWhole = place + needle.count <= all.count
                if isWhole && memcmp(hit, needle, needle.count) == 0 { places.append(place) }
                from = place + 1
            }
            return places
        }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
