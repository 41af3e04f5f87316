/// The rooms that are told everything contain nothing that asks the world: no clock, thread,
/// socket, file or random source of their own (DESIGN §1). This is what makes a simulated hour
/// the same as a real one.
enum ToldRule {
    /// Where a word is the forbidden thing and not a namesake.
    private enum Shape {
        /// Wherever it stands.
        case anywhere
        /// Every word that begins so.
        case prefix
        /// Called as a free function: `word(…)` that no file of the room declares.
        case freeCall
        /// Called on something without a generator: `.word(…)` without `using:`.
        case callWithoutGenerator
    }

    private static let concurrency = "the room is told and answers; waiting is the Loop's work"
    private static let clock = "take the time as a parameter (nowNanoseconds, nowMilliseconds)"
    private static let locks = "one queue owns the shard; send a message instead"
    private static let sockets = "write into the caller's ByteQueue; the Loop owns the sockets"
    private static let random = "draw from the SeededRandom that the room is given"
    private static let files = "let HubServer or the command read it and hand it over"
    private static let output = "return it or put it into an error; rooms do not print"

    private static let table: [(words: [String], shape: Shape, instead: String)] = [
        (["Task", "async", "await", "TaskGroup", "AsyncStream"], .anywhere, concurrency),
        (["sleep", "usleep", "nanosleep"], .anywhere, concurrency),
        (["DispatchQueue", "DispatchSource", "DispatchWorkItem"], .anywhere, concurrency),
        (["ContinuousClock", "SuspendingClock", "DispatchTime"], .anywhere, clock),
        (["clock_gettime", "gettimeofday", "CFAbsoluteTimeGetCurrent"], .anywhere, clock),
        (["Date", "time", "localtime", "gmtime"], .freeCall, clock),
        (["Thread", "Mutex", "Atomic", "NSLock", "DispatchSemaphore"], .anywhere, locks),
        (["pthread_"], .prefix, locks),
        (
            ["socket", "send", "recv", "recvfrom", "sendto", "sendmsg", "recvmsg"], .freeCall,
            sockets
        ),
        (["accept", "connect", "bind", "listen", "poll", "epoll_wait"], .freeCall, sockets),
        (["SystemRandomNumberGenerator", "getrandom", "drand48"], .anywhere, random),
        (["arc4random"], .prefix, random),
        (["UUID", "rand"], .freeCall, random),
        (
            ["random", "randomElement", "shuffled", "shuffle"], .callWithoutGenerator, random
        ),
        (["open", "fopen", "creat", "unlink", "mkdir", "getenv"], .freeCall, files),
        (["FileManager", "FileHandle", "ProcessInfo"], .anywhere, files),
        (["print", "debugPrint", "dump", "readLine", "puts", "printf"], .freeCall, output),
    ]

    private static let banned: [String: (shape: Shape, instead: String)] = {
        var banned: [String: (Shape, String)] = [:]
        for row in table where row.shape != .prefix {
            for word in row.words { banned[word] = (row.shape, row.instead) }
        }
        return banned
    }()

    private static let prefixes = table.filter { $0.shape == .prefix }
        .flatMap { row in row.words.map { (word: $0, instead: row.instead) } }

    /// The forbidden things in one file of a room. `ownFunctions` are the names that the room
    /// declares itself: its `send` is not the socket's.
    static func violations(in source: SwiftSource, ownFunctions: Set<String>) -> [Violation] {
        source.words.indices.compactMap { index in
            let word = source.words[index]
            guard
                let instead = reason(
                    word, in: source, previous: index > 0 ? source.words[index - 1].text : "",
                    ownFunctions: ownFunctions)
            else { return nil }
            return Violation(
                path: source.path, line: word.line,
                rule: "\(source.target) is told and may not use `\(word.text)`",
                instead: instead)
        }
    }

    /// What to do instead of this word, or nil if it is harmless.
    private static func reason(
        _ word: SwiftSource.Word, in source: SwiftSource, previous: String,
        ownFunctions: Set<String>
    ) -> String? {
        guard let rule = banned[word.text] else {
            return prefixes.first { word.text.hasPrefix($0.word) }?.instead
        }
        let isMember = word.before == UInt8(ascii: ".")
        let isCall = source.isCalled(word)
        switch rule.shape {
        case .anywhere, .prefix: return rule.instead
        case .freeCall:
            let isFree = isCall && !isMember && !["func", "case"].contains(previous)
            return isFree && !ownFunctions.contains(word.text) ? rule.instead : nil
        case .callWithoutGenerator:
            return isMember && isCall && !source.hasLabel("using", inCallOf: word)
                ? rule.instead : nil
        }
    }
}

extension SwiftSource {
    /// Whether an opening parenthesis stands right behind the word.
    fileprivate func isCalled(_ word: Word) -> Bool {
        let end = word.start + word.text.utf8.count
        return end < code.count && code[end] == UInt8(ascii: "(")
    }

    /// Whether the argument list right behind the word has this label at its own level.
    fileprivate func hasLabel(_ label: String, inCallOf word: Word) -> Bool {
        var depth = 0
        let from = word.start + word.text.utf8.count
        guard var next = words.firstIndex(where: { $0.start >= from }) else { return false }
        for at in from..<code.count {
            if next < words.count, words[next].start == at {
                let isLabel = words[next].text == label && words[next].after == UInt8(ascii: ":")
                if depth == 1 && isLabel { return true }
                next += 1
            }
            switch code[at] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return false }
            default: break
            }
        }
        return false
    }
}
