import COpenSSL

/// HMAC with SHA-256 (RFC 2104): a digest that only the holder of the key can make.
public enum HMACSHA256 {
    /// Length of an authentication code in bytes.
    public static let byteCount = 32

    /// Writes the code of `bytes` under `key` to the start of the caller's buffer. Any length of
    /// key is taken, the empty one included.
    ///
    /// - Precondition: `output` has room for `byteCount` bytes.
    public static func authenticate(
        _ bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        precondition(output.count >= byteCount, "an HMAC-SHA-256 needs a buffer of 32 bytes")
        precondition(key.count <= Int(Int32.max), "an HMAC key of 2 GiB or more")
        var written: UInt32 = 0
        let code = HMAC(
            EVP_sha256(), key.octets, Int32(key.count), bytes.octets, bytes.count,
            output.octets, &written)
        precondition(
            code != nil && written == UInt32(byteCount), "OpenSSL refused to compute an HMAC")
    }

    /// Lends the code of `bytes` under `key` to `body`.
    public static func authenticate<R>(
        _ bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> R
    ) -> R {
        withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 8) { output in
            authenticate(bytes, key: key, into: output)
            return body(UnsafeRawBufferPointer(output))
        }
    }
}
