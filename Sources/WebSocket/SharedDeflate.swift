/// One payload, compressed once for many receivers (RFC 7692 §7.2.1).
///
/// What differs from receiver to receiver, the operation's id, stands in front of the shared
/// body in a deflate block that is stored, not compressed: `00 | LEN | ~LEN | prefix`
/// (RFC 1951 §3.2.4). The body was compressed from a fresh state, so its back-references never
/// leave it and it is right behind any prefix.
///
/// Receivers with different windows need different bodies; each is made when first asked for.
/// Belongs to a shard:
///
///     shared.begin()
///     for member in members {
///         if let body = shared.body(of: payload, windowBits: member.windowBits) {
///             let count = SharedDeflate.writeFront(.text, prefix: member.head, …, to: front)
///             …   // front, then body
///         }
///     }
public final class SharedDeflate {
    /// How many payloads have been compressed, each window counted.
    public private(set) var compressionCount: UInt64 = 0

    private struct Form {
        var deflater: Deflater?
        var isMade = false
        var body: UnsafeRawBufferPointer?
    }

    private static let windowBits = 9...15
    private var forms = [Form](repeating: Form(), count: windowBits.count)

    /// Nothing compressed, and no memory for it yet.
    public init() {}

    /// Forgets the last payload's bodies.
    public func begin() {
        for index in forms.indices where forms[index].isMade {
            forms[index].isMade = false
            forms[index].body = nil
        }
    }

    /// The payload, compressed within the window; the same bytes at each call
    /// until `begin`. Nil if compressing does not make it shorter.
    ///
    /// - Returns: bytes that are lent until the first call behind the next `begin`.
    public func body(
        of payload: UnsafeRawBufferPointer, windowBits: Int
    ) -> UnsafeRawBufferPointer? {
        let index = windowBits - Self.windowBits.lowerBound
        if forms[index].isMade { return forms[index].body }
        let deflater = forms[index].deflater ?? Deflater(windowBits: windowBits)
        compressionCount += 1
        forms[index] = Form(
            deflater: deflater, isMade: true,
            body: deflater.deflate(payload, saving: Self.storedHeadCount + 1))
        return forms[index].body
    }

    // MARK: Writing

    /// Longest prefix: what one stored block holds.
    public static let prefixBytesMax = 65_535
    /// Room for all that `writeFront` writes before the prefix.
    public static let frontBytesMax = WebSocketSession.headBytesMax + storedHeadCount
    private static let storedHeadCount = 5

    /// Writes what stands before a shared body: the head of a server's frame, the stored
    /// block's head and the prefix. Returns its length.
    ///
    /// - Precondition: the prefix has `prefixBytesMax` bytes at most, and `output` has room for
    ///   it and `frontBytesMax` more.
    public static func writeFront(
        _ opcode: WebSocketOpcode, prefix: UnsafeRawBufferPointer, bodyCount: Int,
        to output: UnsafeMutableRawBufferPointer
    ) -> Int {
        precondition(
            prefix.count <= prefixBytesMax && output.count >= frontBytesMax + prefix.count,
            "a prefix is too long for its block or its room")
        guard let start = output.baseAddress else { preconditionFailure("the room is empty") }
        var count = WebSocketSession.writeHead(
            opcode, payloadCount: storedHeadCount + prefix.count + bodyCount, isCompressed: true,
            to: start)
        let length = UInt16(prefix.count)
        // Not final, stored, then five bits of padding.
        start.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
        start.storeBytes(of: length.littleEndian, toByteOffset: count + 1, as: UInt16.self)
        start.storeBytes(of: (~length).littleEndian, toByteOffset: count + 3, as: UInt16.self)
        count += storedHeadCount
        UnsafeMutableRawBufferPointer(rebasing: output[count...]).copyMemory(from: prefix)
        return count + prefix.count
    }
}
