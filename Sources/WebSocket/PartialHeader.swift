/// The first bytes of a frame's header whose rest has not come yet, kept without heap memory.
struct PartialHeader {
    private var bytes: (UInt64, UInt64) = (0, 0)
    private(set) var count: UInt8 = 0

    /// Adds one byte.
    mutating func append(_ byte: UInt8) {
        precondition(count < FrameHeader.byteCountMax, "a frame header has 14 bytes at most")
        let index = Int(count)
        withUnsafeMutableBytes(of: &bytes) { $0[index] = byte }
        count += 1
    }

    /// Forgets all.
    mutating func removeAll() { count = 0 }

    /// The header, if it is whole.
    func header(
        _ role: WebSocketRole, mayBeCompressed: Bool
    ) throws(WebSocketError) -> FrameHeader? {
        let available = Int(count)
        return try withUnsafeBytes(of: bytes) { bytes throws(WebSocketError) in
            // A stored value has an address.
            try FrameHeader.read(
                bytes.baseAddress!, available: available, role: role,
                mayBeCompressed: mayBeCompressed)
        }
    }
}
