import COpenSSL

/// Comparison of secrets without telling through its duration how much of a guess was right.
public enum ConstantTime {
    /// Whether both are the same bytes.
    ///
    /// The duration depends on the lengths only; a difference in length is told at once. Where
    /// the length is a secret too, compare digests.
    public static func areEqual(
        _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer
    ) -> Bool {
        guard one.count == other.count else { return false }
        guard let a = one.baseAddress, let b = other.baseAddress else { return true }
        return CRYPTO_memcmp(a, b, one.count) == 0
    }
}
