import COpenSSL

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// Length of a digest in bytes.
    public static let byteCount = 32

    /// Writes the digest of `bytes` to the start of the caller's buffer.
    ///
    /// - Precondition: `output` has room for `byteCount` bytes.
    public static func digest(
        _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) {
        precondition(output.count >= byteCount, "a SHA-256 digest needs a buffer of 32 bytes")
        COpenSSL.SHA256(bytes.octets, bytes.count, output.octets)
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
