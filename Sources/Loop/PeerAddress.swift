internal import CLinux
internal import Glibc

/// The address and port at the other end of a connection.
///
/// An IPv4 peer that reached a dual-stack listener is told as the IPv4 address that it is.
public struct PeerAddress: Sendable, Hashable {
    // IPv6 as two big-endian halves; IPv4 in the low half, as an IPv4-mapped address.
    private let high: UInt64
    private let low: UInt64
    /// The peer's port.
    public let port: UInt16

    /// Whether the address is an IPv4 address.
    public var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

    /// Whether the peer is on this machine, by a loopback address.
    public var isLoopback: Bool {
        isIPv4 ? low >> 24 & 0xff == 127 : high == 0 && low == 1
    }

    /// What one subscriber of a provider has: an IPv4 address, or an IPv6 /64 (RFC 6177 gives
    /// every site at least one). Equal for peers of one network, and for nobody else.
    public var network: UInt64 { isIPv4 ? low : high }

    init(high: UInt64, low: UInt64, port: UInt16) {
        self.high = high
        self.low = low
        self.port = port
    }

    init(_ storage: sockaddr_storage) {
        self = withUnsafeBytes(of: storage) { bytes in
            // A port stands at offset 2 in both families, the address at 4 (IPv4) or 8 (IPv6).
            let port = UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
            switch Int32(storage.ss_family) {
            case AF_INET:
                let address = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
                return PeerAddress(
                    high: 0, low: 0xffff << 32 | UInt64(UInt32(bigEndian: address)), port: port)
            case AF_INET6:
                let high = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                let low = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
                return PeerAddress(
                    high: UInt64(bigEndian: high), low: UInt64(bigEndian: low), port: port)
            default:
                return PeerAddress(high: 0, low: 0, port: 0)
            }
        }
    }
}

extension PeerAddress: CustomStringConvertible {
    /// The numeric address alone: `127.0.0.1`, `::1`.
    public var host: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            if isIPv4 {
                var address = UInt32(truncatingIfNeeded: low).bigEndian
                inet_ntop(AF_INET, &address, text.baseAddress!, 64)
            } else {
                var address = (high.bigEndian, low.bigEndian)
                inet_ntop(AF_INET6, &address, text.baseAddress!, 64)
            }
            return String(cString: text.baseAddress!)
        }
    }

    /// Address and port: `127.0.0.1:4000`, `[::1]:4000`.
    public var description: String { isIPv4 ? "\(host):\(port)" : "[\(host)]:\(port)" }
}
