import COpenSSL

/// SHA-1 (FIPS 180-4), for the one place where a protocol still asks for it: the accept value of
/// a WebSocket handshake (RFC 6455 §4.2.2). Not for signatures or keys.
public enum SHA1 {
    /// Length of a digest in bytes.
    public static let byteCount = 20

    /// Writes the digest of `bytes` to the start of the caller's buffer.
    ///
    /// - Precondition: `output` has room for `byteCount` bytes.
    public static func digest(
        _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) {
        precondition(output.count >= byteCount, "a SHA-1 digest needs a buffer of 20 bytes")
        COpenSSL.SHA1(bytes.octets, bytes.count, output.octets)
    }

    /// Lends the digest of `bytes` to `body`. Nothing is allocated on the heap.
    public static func digest<R>(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> R
    ) -> R {
        withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 8) { output in
            digest(bytes, into: output)
            return body(UnsafeRawBufferPointer(output))
        }
    }
}
