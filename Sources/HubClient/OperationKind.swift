public import Bytes

/// What an operation does, as far as the client must know: a mutation is never sent twice.
public enum OperationKind: Sendable, Hashable {
    /// Reads once. May be repeated after a lost connection.
    case query
    /// Writes once. Is not repeated: whether it took place is unknown.
    case mutation
    /// Listens. Is started again after a lost connection.
    case subscription

    /// The kind of the operation that `document` holds under that name, or of its first one.
    ///
    /// Only the words at the outermost level are looked at; the server does the parsing. What
    /// cannot be made out counts as a mutation, the kind that is handled with the most care.
    public init(of document: Text, operationName: Text? = nil) {
        self = document.withBytes { bytes in
            var scan = DocumentScan(bytes: bytes)
            while let operation = scan.nextOperation() {
                let isWanted = operationName.map { operation.hasName($0, in: bytes) } ?? true
                if isWanted { return operation.kind }
            }
            return .mutation
        }
    }
}

/// Walks over a GraphQL document's outermost level (GraphQL specification §2).
private struct DocumentScan {
    struct Operation {
        var kind: OperationKind
        var name: Range<Int>

        func hasName(_ wanted: Text, in bytes: UnsafeRawBufferPointer) -> Bool {
            wanted.withBytes { $0.elementsEqual(bytes[name]) }
        }
    }

    let bytes: UnsafeRawBufferPointer
    var at = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The next definition that is an operation, read up to the end of its selection.
    mutating func nextOperation() -> Operation? {
        var words: [Range<Int>] = []
        var depth = 0
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "#"): skip { $0 != 0x0a && $0 != 0x0d }
            case UInt8(ascii: "\""): skipString()
            case UInt8(ascii: "("), UInt8(ascii: "["):
                depth += 1
                at += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"):
                depth -= 1
                at += 1
            case UInt8(ascii: "{") where depth == 0:
                skipSelection()
                if let operation = operation(words) { return operation }
                words = []
            case UInt8(ascii: "@"), UInt8(ascii: "$"):
                at += 1
                _ = word()
            case let byte where isName(byte):
                let word = word()
                if depth == 0 { words.append(word) }
            default: at += 1
            }
        }
        return nil
    }

    private func operation(_ words: [Range<Int>]) -> Operation? {
        guard let first = words.first else { return Operation(kind: .query, name: at..<at) }
        let name = words.count > 1 ? words[1] : at..<at
        if isWord(first, "query") { return Operation(kind: .query, name: name) }
        if isWord(first, "mutation") { return Operation(kind: .mutation, name: name) }
        if isWord(first, "subscription") { return Operation(kind: .subscription, name: name) }
        return nil
    }

    private func isWord(_ range: Range<Int>, _ word: StaticString) -> Bool {
        bytes[range].elementsEqual(
            UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    private func isName(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
            || byte == UInt8(ascii: "_")
    }

    private mutating func word() -> Range<Int> {
        let start = at
        skip(while: isName)
        return start..<at
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while at < bytes.count, condition(bytes[at]) { at += 1 }
    }

    private mutating func skipSelection() {
        var depth = 0
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                skipString()
                continue
            case UInt8(ascii: "#"):
                skip { $0 != 0x0a && $0 != 0x0d }
                continue
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            default: break
            }
            at += 1
            if depth == 0 { return }
        }
    }

    private mutating func skipString() {
        if isBlockQuote(at) {
            at += 3
            while at < bytes.count, !isBlockQuote(at) {
                at += bytes[at] == UInt8(ascii: "\\") && isBlockQuote(at + 1) ? 4 : 1
            }
            at = min(at + 3, bytes.count)
            return
        }
        at += 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "\""), bytes[at] != 0x0a {
            at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        at = min(at + 1, bytes.count)
    }

    private func isBlockQuote(_ index: Int) -> Bool {
        index + 3 <= bytes.count
            && bytes[index..<(index + 3)].allSatisfy { $0 == UInt8(ascii: "\"") }
    }
}
