public import Records
public import Store

/// One law of the store's contract, checked against any store.
public struct Law: Sendable, CustomStringConvertible {
    /// Makes an empty store of a layout.
    public typealias Factory = (DataLayout) throws -> any ChangeHistory

    /// The law as a sentence.
    public let sentence: String
    private let body: @Sendable (Checker, any ChangeHistory) -> Void

    init(_ sentence: String, _ body: @escaping @Sendable (Checker, any ChangeHistory) -> Void) {
        self.sentence = sentence
        self.body = body
    }

    /// The sentence.
    public var description: String { sentence }

    /// Checks the law on a new store of the sample layout; the findings, none if it is kept.
    public func findings(_ factory: Factory) throws -> [String] {
        let checker = Checker()
        body(checker, try factory(Sample.layout))
        return checker.findings
    }

    /// All laws.
    public static let all: [Law] = writeLaws + valueLaws + queryLaws + changeLaws + historyLaws
}

/// Gathers what is not as it should be.
final class Checker {
    private(set) var findings: [String] = []

    func equal<T: Equatable>(_ found: T, _ wanted: T, _ what: String = "", line: Int = #line) {
        if found != wanted { findings.append("\(line) \(what): \(found) is not \(wanted)") }
    }

    func holds(_ condition: Bool, _ what: String, line: Int = #line) {
        if !condition { findings.append("\(line) \(what)") }
    }
}
