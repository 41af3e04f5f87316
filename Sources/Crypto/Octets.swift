/// A byte that stands where C wants an address but reads and writes nothing: some of OpenSSL's
/// functions take a null address for "not given" even when the length is zero.
// Safe to share: only ever passed together with a length of zero, so nobody looks behind it.
nonisolated(unsafe) private let nowhere = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)

extension UnsafeRawBufferPointer {
    /// The bytes as OpenSSL's functions take them; never null.
    var octets: UnsafePointer<UInt8> {
        baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(nowhere)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The bytes as OpenSSL's functions take them; never null.
    var octets: UnsafeMutablePointer<UInt8> {
        baseAddress?.assumingMemoryBound(to: UInt8.self) ?? nowhere
    }
}
