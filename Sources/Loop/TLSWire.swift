internal import COpenSSL

/// Where OpenSSL's bytes come from and go to within one loop: it never meets a socket.
///
/// One call of OpenSSL runs at a time in a loop, so all its sessions share this one. What came by
/// one `recv` is lent as `input` and always read to its end (a record's beginning is kept by the
/// session itself); what a call wants sent gathers in `output`, which leaves by one `send`.
struct TLSWire {
    /// What came and was not read yet.
    var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Where what came is deciphered to: room for all of a full read, and for the record
    /// whose beginning came before.
    let plain: UnsafeMutableRawBufferPointer
    private var output: UnsafeMutableRawPointer
    private var outputCapacity = 64 * 1024
    private var outputCount = 0

    /// More than the longest record (RFC 8446 §5.2: 2^14 bytes, 256 for the cipher, 5 in front).
    static let recordBytesMax = 17 * 1024

    private init(readBufferBytes: Int) {
        plain = .allocate(byteCount: readBufferBytes + Self.recordBytesMax, alignment: 64)
        output = .allocate(byteCount: outputCapacity, alignment: 64)
    }

    static func make(readBufferBytes: Int) -> UnsafeMutablePointer<TLSWire> {
        let wire = UnsafeMutablePointer<TLSWire>.allocate(capacity: 1)
        wire.initialize(to: TLSWire(readBufferBytes: readBufferBytes))
        return wire
    }

    func free() {
        plain.deallocate()
        output.deallocate()
    }

    /// What is to be sent. Valid until OpenSSL is called again.
    mutating func takeOutput() -> UnsafeRawBufferPointer {
        defer { outputCount = 0 }
        return UnsafeRawBufferPointer(start: output, count: outputCount)
    }

    fileprivate mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        if outputCount + bytes.count > outputCapacity {
            outputCapacity = max(outputCapacity * 2, outputCount + bytes.count)
            let larger = UnsafeMutableRawPointer.allocate(
                byteCount: outputCapacity, alignment: 64)
            larger.copyMemory(from: output, byteCount: outputCount)
            output.deallocate()
            output = larger
        }
        (output + outputCount).copyMemory(from: start, byteCount: bytes.count)
        outputCount += bytes.count
    }

    fileprivate mutating func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(target.count, input.count)
        guard count > 0 else { return 0 }
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
        input = UnsafeRawBufferPointer(rebasing: input[count...])
        return count
    }

    /// A new end for a session; owned by the session it is given to.
    static func makeEnd(_ wire: UnsafeMutablePointer<TLSWire>) -> OpaquePointer {
        guard let end = BIO_new(method) else { preconditionFailure("no memory for a TLS session") }
        BIO_set_data(end, wire)
        BIO_set_init(end, 1)
        return end
    }

    private static let retryFlags = BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY

    // Never changed after it is made, and OpenSSL only reads it.
    private nonisolated(unsafe) static let method: OpaquePointer = {
        let kind = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
        guard let method = BIO_meth_new(kind, "event loop") else {
            preconditionFailure("no memory for OpenSSL's method table")
        }
        BIO_meth_set_read(method) { end, target, count in
            BIO_clear_flags(end, TLSWire.retryFlags)
            let taken = TLSWire.of(end).pointee.read(
                into: UnsafeMutableRawBufferPointer(start: target, count: Int(count)))
            if taken > 0 { return Int32(taken) }
            // Nothing yet, which is not the end: `SSL_ERROR_WANT_READ` to whoever called.
            BIO_set_flags(end, TLSWire.retryFlags)
            return -1
        }
        BIO_meth_set_write(method) { end, bytes, count in
            BIO_clear_flags(end, TLSWire.retryFlags)
            TLSWire.of(end).pointee.append(
                UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            return count
        }
        // OpenSSL asks to flush and takes zero for a refusal.
        BIO_meth_set_ctrl(method) { _, verb, _, _ in verb == BIO_CTRL_FLUSH ? 1 : 0 }
        return method
    }()

    private static func of(_ end: OpaquePointer?) -> UnsafeMutablePointer<TLSWire> {
        guard let wire = BIO_get_data(end) else {
            preconditionFailure("a TLS session without its loop's wire")
        }
        return wire.assumingMemoryBound(to: TLSWire.self)
    }
}
