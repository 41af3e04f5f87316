import Bytes
import Crypto
import Testing

/// Vectors from FIPS 180-4's examples, RFC 6455 §1.3 and RFC 4231.
@Suite struct PublishedVectors {
    static let digests: [(text: String, sha1: String, sha256: String)] = [
        (
            "", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        ),
        (
            "abc", "a9993e364706816aba3e25717850c26c9cd0d89d",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    @Test func `SHA-1 and SHA-256 give the published digests`() {
        for (text, sha1, sha256) in Self.digests {
            let bytes = Array(text.utf8)
            #expect(bytes.withUnsafeBytes { SHA1.digest($0) { Hex.encode($0) } } == sha1)
            #expect(bytes.withUnsafeBytes { SHA256.digest($0) { Hex.encode($0) } } == sha256)
        }
    }

    @Test func `the example handshake's accept value comes out`() {
        let text = "dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        let accept = Array(text.utf8).withUnsafeBytes { SHA1.digest($0) { Base64.encode($0) } }
        #expect(String(decoding: accept, as: UTF8.self) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    /// RFC 4231 §4.2, §4.3, §4.4, §4.7 (a key longer than the block).
    static let codes: [(key: [UInt8], data: [UInt8], code: String)] = [
        (
            Array(repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            Array(repeating: 0xaa, count: 20), Array(repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            Array(repeating: 0xaa, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        ([], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ]

    @Test func `HMAC-SHA-256 gives the published codes, the empty key's included`() {
        for (key, data, code) in Self.codes {
            let found = data.withUnsafeBytes { data in
                key.withUnsafeBytes { key in
                    HMACSHA256.authenticate(data, key: key) { Hex.encode($0) }
                }
            }
            #expect(found == code)
        }
    }

    @Test func `a digest is written to the start of a longer buffer and no further`() {
        var output = [UInt8](repeating: 7, count: 40)
        Array("abc".utf8).withUnsafeBytes { bytes in
            output.withUnsafeMutableBytes { SHA256.digest(bytes, into: $0) }
        }
        #expect(Hex.encode(output[..<32]) == Self.digests[1].sha256)
        #expect(output[32...].allSatisfy { $0 == 7 })
    }
}
