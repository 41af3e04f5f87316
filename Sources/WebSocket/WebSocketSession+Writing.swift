public import Bytes

extension WebSocketSession {
    /// Longest head that `writeHead` writes.
    public static let headBytesMax = 10

    /// Writes the head of a server's frame, unmasked, and returns its length (2, 4 or 10).
    ///
    /// For fan-out: head, id and shared payload are put one behind the other by the caller.
    ///
    /// - Parameter isCompressed: whether the message is compressed; only its first frame says so.
    /// - Precondition: `output` has room for `headBytesMax` bytes.
    public static func writeHead(
        _ opcode: WebSocketOpcode, payloadCount: Int, isFinal: Bool = true,
        isCompressed: Bool = false, to output: UnsafeMutableRawPointer
    ) -> Int {
        FrameHeader.write(
            opcode, isFinal: isFinal, isCompressed: isCompressed, payloadCount: payloadCount,
            maskKey: nil, to: output)
    }

    /// Appends the head of a server's frame, unmasked; the payload is appended by the caller.
    public static func appendHead(
        _ opcode: WebSocketOpcode, payloadCount: Int, isFinal: Bool = true,
        isCompressed: Bool = false, to output: inout ByteQueue
    ) {
        appendHeader(opcode, isFinal, isCompressed, payloadCount, maskKey: nil, to: &output)
    }

    /// Appends one frame, masked with a new key each time if we are the client (§5.3).
    ///
    /// Behind a close frame nothing is appended: it is the last frame there is (§5.5.1).
    ///
    /// - Parameters:
    ///   - isFinal: false for all fragments of a message but the last.
    ///   - isCompressed: whether the payload comes from a `Deflater`; for fragments, true for
    ///     the first one only. The extension must have been agreed on.
    public mutating func appendFrame(
        _ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer, isFinal: Bool = true,
        isCompressed: Bool = false, to output: inout ByteQueue
    ) {
        precondition(
            !isCompressed || inflater != nil && (opcode == .text || opcode == .binary),
            "a frame is compressed that may not be")
        precondition(
            !opcode.isControl || isFinal && payload.count <= 125,
            "a control frame is whole and has 125 bytes at most")
        guard state == .open else { return }
        appendAnyway(
            opcode, payload, isFinal: isFinal, isCompressed: isCompressed, to: &output)
    }

    /// Appends a close frame, unless one went out before or the peer's came: then it is
    /// answered already. After it only the peer's close frame is read.
    ///
    /// - Parameters:
    ///   - code: nil for a frame without code; otherwise one that may be sent (§7.4).
    ///   - reason: cut to 123 bytes at a character's end; of no use without a code.
    public mutating func appendClose(
        _ code: UInt16?, reason: Text = "", to output: inout ByteQueue
    ) {
        guard state == .open || state == .refused else { return }
        var payload = ByteQueue()
        if let code {
            precondition(CloseRules.maySend(code), "close code \(code) must not be sent")
            payload.append(bigEndian: code)
            reason.withBytes { bytes in
                let count = CloseRules.fittingCount(bytes)
                payload.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
        }
        payload.withBytes { appendAnyway(.close, $0, isFinal: true, to: &output) }
        state = state == .open ? .closeSent : .over
    }

    // MARK: Private help

    private mutating func appendAnyway(
        _ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer, isFinal: Bool,
        isCompressed: Bool = false, to output: inout ByteQueue
    ) {
        let maskKey = role == .client ? UInt32(truncatingIfNeeded: random.next() >> 32) : nil
        output.reserve(FrameHeader.byteCountMax + payload.count)
        Self.appendHeader(
            opcode, isFinal, isCompressed, payload.count, maskKey: maskKey, to: &output)
        let start = output.count
        output.append(payload)
        guard let maskKey, !payload.isEmpty else { return }
        output.withMutableBytes { bytes in
            // The queue holds at least the payload, so it has an address.
            Masking.apply(maskKey, to: bytes.baseAddress! + start, count: payload.count)
        }
    }

    private static func appendHeader(
        _ opcode: WebSocketOpcode, _ isFinal: Bool, _ isCompressed: Bool, _ payloadCount: Int,
        maskKey: UInt32?, to output: inout ByteQueue
    ) {
        var room: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &room) { room in
            // A stored value has an address.
            let count = FrameHeader.write(
                opcode, isFinal: isFinal, isCompressed: isCompressed, payloadCount: payloadCount,
                maskKey: maskKey, to: room.baseAddress!)
            output.append(UnsafeRawBufferPointer(rebasing: room[..<count]))
        }
    }
}
