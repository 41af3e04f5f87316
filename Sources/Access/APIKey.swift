public import Bytes
import Crypto

/// The secret that opens the hub, in the form AppSync's clients know: `da2-` and 26 characters
/// (AppSync contract 6.1).
///
/// Printing a key, or anything that holds one, never shows it; whoever must show or store it says
/// so with `secret`. Keys are not `Equatable`: `matches` is the one, constant-time comparison.
public struct APIKey: Sendable {
    /// How many random bytes a new key is made of.
    public static let randomByteCount = 16

    /// Shortest and longest key taken, in bytes. Shorter ones can be guessed.
    public static let byteCounts = 16...256

    /// The key itself: for the owner's eyes, the key file and the client that logs on with it.
    public let secret: Text

    /// SHA-256 of the key. Comparing digests hides the length of the key as well.
    private let digest: [UInt8]

    /// A new key out of bytes that nobody can foretell (`SystemRandom` in the server).
    ///
    /// - Precondition: there are `randomByteCount` bytes.
    public init(randomBytes: [UInt8]) {
        precondition(
            randomBytes.count == Self.randomByteCount, "a new API key is made of 16 random bytes")
        self.init(trusted: Text("da2-" + Self.base32(randomBytes)))
    }

    /// A key that the operator chose.
    ///
    /// - Throws: `APIKeyError` for a key that is too short, too long or could not be sent as the
    ///   value of an HTTP field.
    public init(_ text: Text) throws(APIKeyError) {
        guard Self.byteCounts.contains(text.byteCount) else {
            throw .length(text.byteCount)
        }
        // A comma joins fields of one name (RFC 9110 §5.3), so no key may hold one.
        let isSendable = text.withBytes { bytes in
            bytes.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: ",") }
        }
        guard isSendable else { throw .characters }
        self.init(trusted: text)
    }

    private init(trusted text: Text) {
        secret = text
        digest = text.withBytes { SHA256.digest($0) { Array($0) } }
    }

    /// Whether the peer's text is this key, byte for byte. The duration tells nothing about how
    /// much of it was right.
    public func matches(_ candidate: Text) -> Bool {
        candidate.withBytes { bytes in
            SHA256.digest(bytes) { given in
                digest.withUnsafeBytes { ConstantTime.areEqual($0, given) }
            }
        }
    }

    /// Lower-case base32 (RFC 4648 §6) without padding.
    private static func base32(_ bytes: [UInt8]) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        var output: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                output.append(alphabet[Int(bits >> bitCount & 31)])
            }
        }
        if bitCount > 0 { output.append(alphabet[Int(bits << (5 - bitCount) & 31)]) }
        return String(decoding: output, as: UTF8.self)
    }
}

extension APIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Words that stand for the key wherever it would be printed.
    public var description: String { "API key (hidden)" }
    /// The same words.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Why a text cannot be an API key: the operator's mistake, told at the start.
public enum APIKeyError: Error, Hashable, CustomStringConvertible {
    /// Too short or too long; the length in bytes.
    case length(Int)
    /// A space, comma, control character or a character beyond ASCII.
    case characters

    /// A sentence that does not show the key.
    public var description: String {
        switch self {
        case .length(let count):
            "API key of \(count) bytes is outside the range of \(APIKey.byteCounts.lowerBound) "
                + "to \(APIKey.byteCounts.upperBound) bytes"
        case .characters:
            "API key has a character other than the visible ones of ASCII without the comma"
        }
    }
}
