import Bytes
import HTTP1
import JSON
import Subprotocol
import WebSocket

extension ClientSession {
    /// The next command or news, or nil when there is nothing more until a verb is called.
    ///
    /// A result's bytes are lent until the next call of anything.
    public mutating func next() -> ClientEvent? {
        while true {
            if let event = line.popFirst() { return event }
            switch phase {
            case .handshaking:
                guard readUpgrade() else { return nil }
            case .initialising, .ready:
                let (event, isDone) = readFrame()
                if let event { return event }
                if isDone { return nil }
            case .idle, .connecting, .waiting, .ended: return nil
            }
        }
    }

    /// Reads on in the answer to the upgrade. False when more bytes are needed.
    private mutating func readUpgrade() -> Bool {
        do throws(HTTPError) {
            guard case .head(let head)? = try reader?.next() else { return false }
            upgraded(head)
        } catch {
            refuse(.badHandshake(Text(error.description)))
        }
        return true
    }

    /// Reads the next frame. The second value is true when the bytes are used up.
    private mutating func readFrame() -> (ClientEvent?, Bool) {
        if !isLent {
            guard hasRest else { return (nil, true) }
            hasRest = false
            socket?.lend(UnsafeMutableRawBufferPointer(start: nil, count: 0))
            isLent = true
        }
        do throws(WebSocketError) {
            guard let frame = try socket?.next(&output) else {
                socket?.settle()
                isLent = false
                return (nil, true)
            }
            switch frame {
            case .text(let text), .binary(let text): return (read(text), false)
            case .ping, .pong: break
            case .close(let code, let reason):
                // The answer is in the output already.
                let error = ClientError.closed(code: code ?? 1005, reason: Text(utf8: reason))
                dropTransport(closeCode: nil)
                // An orderly end of nothing is no reason to come back (graphql-ws client).
                lose(error)
            }
        } catch {
            let reason = Text(error.reason)
            dropTransport(closeCode: error.closeCode, reason: reason)
            lose(.badFrame(code: error.closeCode, reason: reason))
        }
        return (nil, false)
    }

    /// Reads one message.
    private mutating func read(_ text: UnsafeRawBufferPointer) -> ClientEvent? {
        do throws(MessageError) {
            if let parts = try Dialect.transportWS.nextParts(of: text, tape: &tape) {
                guard let handle = handle(parts.id) else { return nil }
                return .next(handle, payload: parts.payload)
            }
            return act(on: try Dialect.transportWS.decodeServer(text, tape: &tape))
        } catch {
            dropTransport(closeCode: 4004, reason: "Bad response")
            lose(.badMessage(error))
            return nil
        }
    }

    private mutating func act(on message: ServerMessage) -> ClientEvent? {
        switch message {
        case .connectionAck(let payload):
            guard phase == .initialising else { return nil }
            acknowledged()
            return .ready(payload)
        case .ping(let payload):
            send(.pong(payload: payload))
            return nil
        case .error(let id?, let errors):
            guard let handle = id.withBytes({ self.handle($0) }) else { return nil }
            operations[handle] = nil
            return .failed(handle, .refused(errors: errors))
        case .complete(let id):
            guard let handle = id.withBytes({ self.handle($0) }) else { return nil }
            operations[handle] = nil
            return .completed(handle)
        case .next, .error, .pong, .keepAlive, .startAck, .connectionError: return nil
        }
    }

    /// The operation that an id names, unless it is over: results may cross our `complete`.
    private func handle(_ id: UnsafeRawBufferPointer) -> OperationHandle? {
        guard let handle = OperationHandle(wire: id), operations[handle]?.isSent == true else {
            return nil
        }
        return handle
    }

    // MARK: Sending

    mutating func send(_ handle: OperationHandle) {
        guard let operation = operations[handle] else { return }
        operations[handle]?.isSent = true
        send(.subscribe(id: handle.id, operation.request))
    }

    mutating func send(_ message: ClientMessage) {
        scratch.removeAll(keepingCapacity: true)
        Dialect.transportWS.encode(message, into: &scratch)
        scratch.withBytes { text in
            let body = compressed(text)
            socket?.appendFrame(.text, body ?? text, isCompressed: body != nil, to: &output)
        }
    }

    /// The message compressed, or nil if it is to go as it is.
    private func compressed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard text.count >= configuration.compressedMessageBytesMin,
            let windowBits = deflate?.windowBits(of: .client)
        else { return nil }
        compression.deflater.begin()
        return compression.deflater.body(of: text, windowBits: windowBits)
    }
}
