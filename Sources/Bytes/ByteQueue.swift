/// A growable queue of bytes: written at the back, read and discarded at the front.
///
/// The room's central type: sessions keep their unread input in one, and write their replies
/// into one that the caller owns (`inout ByteQueue`). An empty queue holds no heap memory
/// unless capacity was reserved or kept. A copy is cheap until one of the two is changed.
public struct ByteQueue: Sendable {
    @usableFromInline var storage: [UInt8]
    @usableFromInline var head: Int

    /// An empty queue without heap memory.
    @inlinable public init() {
        storage = []
        head = 0
    }

    /// A queue that holds a copy of `bytes`.
    @inlinable public init(_ bytes: some Sequence<UInt8>) {
        storage = Array(bytes)
        head = 0
    }

    /// How many bytes wait to be read.
    @inlinable public var count: Int { storage.count - head }

    /// Whether nothing waits to be read.
    @inlinable public var isEmpty: Bool { storage.count == head }

    /// The unread bytes, lent until the queue is next changed.
    public var bytes: RawSpan {
        @_lifetime(borrow self) get {
            storage.span.bytes.extracting(head..<storage.count)
        }
    }

    /// The unread bytes as an array of their own.
    public var array: [UInt8] { Array(storage[head...]) }

    /// Makes room for `additional` more bytes in one step.
    @inlinable public mutating func reserve(_ additional: Int) {
        let wanted = storage.count + additional
        if wanted > storage.capacity {
            storage.reserveCapacity(Swift.max(wanted, storage.capacity * 2))
        }
    }

    /// Appends one byte.
    @inlinable public mutating func append(_ byte: UInt8) { storage.append(byte) }

    /// Appends a copy of the lent bytes.
    @inlinable public mutating func append(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { storage.append(contentsOf: $0) }
    }

    /// Appends a copy of the lent bytes.
    @inlinable public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        storage.append(contentsOf: bytes)
    }

    /// Appends a copy of the array.
    @inlinable public mutating func append(_ bytes: [UInt8]) {
        storage.append(contentsOf: bytes)
    }

    /// Appends a copy of another queue's unread bytes.
    @inlinable public mutating func append(_ other: ByteQueue) {
        storage.append(contentsOf: other.storage[other.head...])
    }

    /// Appends a literal's bytes. The cheapest way to write fixed text.
    @inlinable public mutating func append(_ literal: StaticString) {
        storage.append(
            contentsOf: UnsafeBufferPointer(
                start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Appends the string's UTF-8 bytes.
    @inlinable public mutating func append(utf8 string: String) {
        var string = string
        string.withUTF8 { storage.append(contentsOf: $0) }
    }

    /// Appends an integer in network byte order.
    @inlinable public mutating func append<T: FixedWidthInteger>(bigEndian value: T) {
        withUnsafeBytes(of: value.bigEndian) { storage.append(contentsOf: $0) }
    }

    /// Appends an integer as decimal digits, with a sign if negative. Allocates nothing.
    @inlinable public mutating func append(decimal value: some BinaryInteger) {
        if value < 0 { storage.append(UInt8(ascii: "-")) }
        append(decimalDigits: UInt64(value.magnitude))
    }

    @usableFromInline mutating func append(decimalDigits value: UInt64) {
        var rest = value
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = 20
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            storage.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start..<20]))
        }
    }

    /// Forgets the first `count` unread bytes. Memory moves only when more than half is read.
    ///
    /// - Precondition: `count` is at most `self.count`.
    @inlinable public mutating func discard(first count: Int) {
        precondition(count >= 0 && count <= self.count, "discard beyond the end of a byte queue")
        head += count
        if head == storage.count {
            storage.removeAll(keepingCapacity: storage.capacity <= 4096)
            head = 0
        } else if head > 4096 && head > storage.count / 2 {
            storage.removeSubrange(0..<head)
            head = 0
        }
    }

    /// Cuts the queue back to its first `count` unread bytes.
    ///
    /// - Precondition: `count` is at most `self.count`.
    @inlinable public mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count, "truncate beyond the end of a byte queue")
        storage.removeLast(self.count - count)
    }

    /// Empties the queue.
    @inlinable public mutating func removeAll(keepingCapacity: Bool = false) {
        storage.removeAll(keepingCapacity: keepingCapacity)
        head = 0
    }

    /// Lends the unread bytes for reading.
    @inlinable public func withBytes<R>(
        _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        try storage.withUnsafeBytes { all in
            try body(UnsafeRawBufferPointer(rebasing: all[head...]))
        }
    }

    /// Lends the unread bytes for changing in place (unmasking, decryption).
    @inlinable public mutating func withMutableBytes<R>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> R
    ) rethrows -> R {
        let head = head
        return try storage.withUnsafeMutableBytes { all in
            try body(UnsafeMutableRawBufferPointer(rebasing: all[head...]))
        }
    }

    /// The unread byte at `offset` from the front.
    @inlinable public subscript(offset: Int) -> UInt8 { storage[head + offset] }
}

extension ByteQueue: Equatable {
    /// Whether the unread bytes are the same.
    public static func == (one: ByteQueue, other: ByteQueue) -> Bool {
        one.storage[one.head...] == other.storage[other.head...]
    }
}
