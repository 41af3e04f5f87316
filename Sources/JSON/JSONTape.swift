public import Bytes

/// A reader that checks a whole JSON text once and leaves a flat list of where its values stand.
///
/// The tape owns no bytes: each question about a value takes the text again. A shard keeps one
/// tape and uses it for every message, so reading allocates nothing in the steady state.
///
///     var tape = JSONTape()
///     try tape.read(message)                       // throws JSONError
///     if let type = tape.member("type", of: 0, in: message) { … }
///
/// Values are numbered in the order of the text; the root is 0. Cost: linear in the text.
public struct JSONTape: Sendable {
    /// The kinds of JSON values.
    public enum Kind: UInt8, Sendable {
        /// `null`.
        case null
        /// `true`.
        case `true`
        /// `false`.
        case `false`
        /// A number.
        case number
        /// A string.
        case string
        /// A list; its items follow.
        case array
        /// An object; names and values follow in turn.
        case object
    }

    @usableFromInline struct Entry: Sendable {
        @usableFromInline var start: Int32
        @usableFromInline var end: Int32
        /// Index of the entry behind this value and all it contains.
        @usableFromInline var next: Int32
        @usableFromInline var kind: Kind
        /// Strings: has an escape. Numbers: has a fraction or exponent.
        @usableFromInline var flag: Bool
    }

    @usableFromInline var entries: [Entry] = []

    /// An empty tape.
    public init() {}

    /// Reads one text that holds exactly one value.
    ///
    /// - Throws: `JSONError`, the peer's fault.
    public mutating func read(
        _ text: RawSpan, depthMax: Int = 64
    ) throws(JSONError) {
        precondition(text.byteCount < Int(Int32.max), "JSON text of 2 GiB or more")
        entries.removeAll(keepingCapacity: entries.capacity <= 4096)
        let failure: JSONError? = text.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes: bytes, depthMax: depthMax, entries: entries)
            entries = []
            let failure = scanner.scan()
            entries = scanner.entries
            return failure
        }
        if let failure { throw failure }
    }

    /// What kind of value stands at `index`.
    @inlinable public func kind(of index: Int) -> Kind { entries[index].kind }

    /// The index behind the value at `index` and all that it contains.
    @inlinable public func next(after index: Int) -> Int { Int(entries[index].next) }

    /// Where the value stands in the text, in bytes. A string's range is without its quotes.
    @inlinable public func range(of index: Int) -> Range<Int> {
        Int(entries[index].start)..<Int(entries[index].end)
    }

    /// Whether a string has an escape, so that its bytes are not its characters.
    @inlinable public func hasEscape(_ index: Int) -> Bool { entries[index].flag }

    /// The index of the value of the last member of that name, or nil. An escaped name is
    /// unescaped before it is compared.
    public func member(_ name: StaticString, of object: Int, in text: RawSpan) -> Int? {
        guard kind(of: object) == .object else { return nil }
        var found: Int?
        var index = object + 1
        let end = next(after: object)
        while index < end {
            if isString(index, equalTo: name, in: text) { found = index + 1 }
            index = next(after: index + 1)
        }
        return found
    }

    /// Whether the value is a string with exactly these characters.
    public func isString(_ index: Int, equalTo name: StaticString, in text: RawSpan) -> Bool {
        guard kind(of: index) == .string else { return false }
        let expected = UnsafeRawBufferPointer(
            start: name.utf8Start, count: name.utf8CodeUnitCount)
        if hasEscape(index) {
            return string(at: index, in: text).withBytes { $0.elementsEqual(expected) }
        }
        let range = range(of: index)
        guard range.count == expected.count else { return false }
        return text.withUnsafeBytes {
            UnsafeRawBufferPointer(rebasing: $0[range]).hasSameBytes(as: expected)
        }
    }

    /// The unescaped text of the string at `index`.
    ///
    /// - Precondition: the value is a string.
    public func string(at index: Int, in text: RawSpan) -> Text {
        precondition(kind(of: index) == .string, "the JSON value is not a string")
        let range = range(of: index)
        return text.withUnsafeBytes { bytes in
            let raw = UnsafeRawBufferPointer(rebasing: bytes[range])
            return hasEscape(index) ? Text(JSONEscapes.unescape(raw)) : Text(utf8: raw)
        }
    }

    /// The value at `index` with all that it contains, as a tree of its own.
    public func value(at index: Int, in text: RawSpan) -> JSONValue {
        switch kind(of: index) {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .number: return number(at: index, in: text)
        case .string: return .string(string(at: index, in: text))
        case .array:
            var items: [JSONValue] = []
            var item = index + 1
            let end = next(after: index)
            while item < end {
                items.append(value(at: item, in: text))
                item = next(after: item)
            }
            return .array(items)
        case .object:
            var object = JSONObject()
            var name = index + 1
            let end = next(after: index)
            while name < end {
                object.append(string(at: name, in: text), value(at: name + 1, in: text))
                name = next(after: name + 1)
            }
            return .object(object)
        }
    }

    private func number(at index: Int, in text: RawSpan) -> JSONValue {
        let range = range(of: index)
        return text.withUnsafeBytes { bytes in
            let digits = UnsafeRawBufferPointer(rebasing: bytes[range])
            if !entries[index].flag, let integer = JSONNumbers.integer(digits) {
                return .int(integer)
            }
            // The scanner has checked that the number is one and within range.
            return .double(JSONNumbers.double(digits) ?? 0)
        }
    }
}

extension JSONValue {
    /// Reads one text that holds exactly one value.
    ///
    /// - Throws: `JSONError`, the peer's fault.
    public init(parsing text: RawSpan, depthMax: Int = 64) throws(JSONError) {
        var tape = JSONTape()
        try tape.read(text, depthMax: depthMax)
        self = tape.value(at: 0, in: text)
    }

    /// Reads one text that holds exactly one value.
    ///
    /// - Throws: `JSONError`, the peer's fault.
    public init(parsing text: String, depthMax: Int = 64) throws(JSONError) {
        let bytes = Array(text.utf8)
        try self.init(parsing: bytes.span.bytes, depthMax: depthMax)
    }
}
