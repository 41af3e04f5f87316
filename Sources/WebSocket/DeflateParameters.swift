import Bytes
import HTTP1

/// What client and server have agreed on for permessage-deflate (RFC 7692 §7.1).
///
/// Neither side takes a context over from message to message, always: so the server holds no
/// window per connection and may send one compressed payload to all.
public struct DeflateParameters: Sendable, Hashable {
    /// The largest window that the server may compress with, 8 to 15 bits; nil stands for 15.
    public let serverMaxWindowBits: UInt8?
    /// The largest window that the client may compress with, 8 to 15 bits; nil stands for 15.
    public let clientMaxWindowBits: UInt8?

    /// The window that this side compresses with, 9 to 15 bits, or nil if it is to send all its
    /// messages uncompressed, because a window of 8 bits is all that it was allowed.
    public func windowBits(of role: WebSocketRole) -> Int? {
        let bits = (role == .server ? serverMaxWindowBits : clientMaxWindowBits) ?? 15
        return bits < 9 ? nil : Int(bits)
    }

    // MARK: The server's side

    /// What the server makes of the client's offers: the first that is legal and that it can
    /// keep, in the client's order of preference (RFC 6455 §9.1). A header that does not follow
    /// the grammar offers nothing.
    static func chosen(fromOffers lines: [Text]) -> DeflateParameters? {
        guard let offers = terms(lines, areAnswers: false)?.deflate else { return nil }
        for offer in offers where offer.isLegal {
            // With a window of 8 bits zlib makes no raw deflate.
            if offer.serverMaxWindowBits == 8 { continue }
            // A client that uses 8 bits by itself needs no leave, and we inflate anything.
            let clientBits = offer.clientMaxWindowBits.flatMap { $0 == 8 ? nil : $0 }
            return DeflateParameters(
                serverMaxWindowBits: offer.serverMaxWindowBits, clientMaxWindowBits: clientBits)
        }
        return nil
    }

    /// The server's answer.
    func appendAnswer(to output: inout ByteQueue) {
        output.append("permessage-deflate; server_no_context_takeover")
        output.append("; client_no_context_takeover")
        if let serverMaxWindowBits {
            output.append("; server_max_window_bits=")
            output.append(decimal: serverMaxWindowBits)
        }
        if let clientMaxWindowBits {
            output.append("; client_max_window_bits=")
            output.append(decimal: clientMaxWindowBits)
        }
    }

    // MARK: The client's side

    /// The client's offer: no context is kept, and it can do with a smaller window.
    static let offer: Text = """
        permessage-deflate; server_no_context_takeover; client_no_context_takeover; \
        client_max_window_bits
        """

    /// What the server's answer to `offer` says; nil if it declined.
    static func agreed(inAnswer lines: [Text]) throws(HandshakeFailure) -> DeflateParameters? {
        guard let all = terms(lines, areAnswers: true) else { throw .extensionParameters }
        if all.count == 0 { return nil }
        guard let answer = all.deflate.first else { throw .extension }
        // The answer repeats server_no_context_takeover or has not accepted it (§7.1.1.1).
        guard all.count == 1, answer.isLegal, answer.hasServerNoContextTakeover else {
            throw .extensionParameters
        }
        return DeflateParameters(
            serverMaxWindowBits: answer.serverMaxWindowBits,
            clientMaxWindowBits: answer.clientMaxWindowBits)
    }

    // MARK: Private help

    /// All terms of permessage-deflate, in order, and how many extensions are named in all; nil
    /// if a line does not follow the grammar.
    private static func terms(
        _ lines: [Text], areAnswers: Bool
    ) -> (deflate: [DeflateTerms], count: Int)? {
        var all: (deflate: [DeflateTerms], count: Int) = ([], 0)
        for line in lines {
            let isWellFormed = line.withBytes { bytes in
                var reader = ExtensionReader(bytes)
                do throws(ExtensionReader.Malformed) {
                    try read(&reader, areAnswers: areAnswers, into: &all)
                    return true
                } catch {
                    return false
                }
            }
            guard isWellFormed else { return nil }
        }
        return all
    }

    private static func read(
        _ reader: inout ExtensionReader, areAnswers: Bool,
        into all: inout (deflate: [DeflateTerms], count: Int)
    ) throws(ExtensionReader.Malformed) {
        var isDeflate = false
        while let part = try reader.next() {
            switch part {
            case .name(let name):
                all.count += 1
                isDeflate = DeflateTerms.isNamed(name)
                if isDeflate { all.deflate.append(DeflateTerms(isAnswer: areAnswers)) }
            case .parameter(let name, let value):
                if isDeflate { all.deflate[all.deflate.count - 1].take(name, value) }
            }
        }
    }
}
