internal import CLinux
internal import Glibc
internal import Synchronization

/// A listening socket of a loop.
struct Listener {
    /// -1 once it was closed; its place is kept, since tokens name places.
    var descriptor: Int32
    /// Whom the listener says it is, if it speaks TLS.
    let identity: TLSServerIdentity?
    let route: ((AcceptedSocket) -> Void)?
}

/// A connection on its way from the loop that accepted it to the one that will serve it.
///
/// Nobody needs to look after it: if no loop adopts it, it is closed when the last one lets go.
public final class AcceptedSocket: Sendable {
    /// Who connected.
    public let peer: PeerAddress
    let identity: TLSServerIdentity?
    private let descriptor: Atomic<Int32>

    init(_ descriptor: Int32, _ peer: PeerAddress, _ identity: TLSServerIdentity?) {
        self.descriptor = Atomic(descriptor)
        self.peer = peer
        self.identity = identity
    }

    deinit {
        let left = take()
        if left >= 0 { Glibc.close(left) }
    }

    /// Says a few last words and closes the connection at once. Whoever has not read anything yet
    /// gets them if they fit the kernel's buffer, and nobody waits for it.
    public func refuse(saying words: UnsafeRawBufferPointer) {
        let left = take()
        guard left >= 0 else { return }
        _ = send(left, words.baseAddress, words.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        shutdown(left, Int32(SHUT_WR))
        // What is read cannot turn the close into a reset, which would outrun the words.
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) {
            _ = recv(left, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
        }
        Glibc.close(left)
    }

    /// Whether the peer is going to speak TLS.
    public var isSecure: Bool { identity != nil }

    /// The descriptor for the first who asks, -1 for all others.
    func take() -> Int32 { descriptor.exchange(-1, ordering: .acquiringAndReleasing) }
}

extension EventLoop {
    /// Listens for connections and returns the port, which is of interest if 0 was asked for.
    ///
    /// - Parameters:
    ///   - host: A numeric address; `0.0.0.0` is all of IPv4, `::` is all of IPv4 and IPv6.
    ///   - port: The port; 0 lets the system choose.
    ///   - tls: Has the listener speak TLS and nothing else. `accepted` is told after the
    ///     handshake; a connection that does not get through it is never told.
    ///   - route: Where accepted connections go; nil: to this loop. Another loop's poster can
    ///     carry them to its `adopt`.
    @discardableResult
    public func listen(
        host: String, port: UInt16, tls: TLSServerIdentity? = nil,
        route: ((AcceptedSocket) -> Void)? = nil
    ) throws(LoopError) -> UInt16 {
        checkConfinement()
        let descriptor = try listeningSocket(host: host, port: port, limits)
        let token = Token.firstListener + UInt64(listeners.count)
        guard poller.add(descriptor, token: token, areListenersPaused ? [] : .input) else {
            let code = errno
            Glibc.close(descriptor)
            throw .system(call: "epoll_ctl", code: code)
        }
        listeners.append(Listener(descriptor: descriptor, identity: tls, route: route))
        return localPort(of: descriptor)
    }

    /// Closes all listeners: the port is free for another process. Connections stay, and those
    /// that wait to be accepted still are; TLS handshakes that are not through are given up.
    public func stopListening() {
        checkConfinement()
        for index in listeners.indices { takeWaiting(from: index) }
        closeListeners()
    }

    func closeListeners() {
        for index in listeners.indices where listeners[index].descriptor >= 0 {
            Glibc.close(listeners[index].descriptor)
            listeners[index] = Listener(descriptor: -1, identity: nil, route: nil)
        }
        areListenersPaused = false
        acceptDueAt = .max
        endServerHandshakes()
    }

    /// Accepts what waits at a listener that is about to be closed: the peers' side is open
    /// already, and closing it would answer whatever they have sent with a reset.
    private func takeWaiting(from index: Int) {
        guard listeners[index].identity == nil else { return }
        for _ in 0..<limits.listenBacklog {
            guard let (descriptor, peer) = acceptOne(from: index) else { return }
            let socket = AcceptedSocket(descriptor, peer, nil)
            if let route = listeners[index].route { route(socket) } else { adopt(socket) }
        }
    }

    /// The next connection that waits at a listener; nil, with `errno`, if none is to be had.
    private func acceptOne(from index: Int) -> (descriptor: Int32, peer: PeerAddress)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = withUnsafeMutableBytes(of: &storage) { bytes in
            clinux_accept4(
                listeners[index].descriptor,
                bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length,
                Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue))
        }
        return descriptor < 0 ? nil : (descriptor, PeerAddress(storage))
    }

    /// Takes over a connection that a loop accepted. `accepted` is told within this turn, or after
    /// the handshake if the listener speaks TLS.
    ///
    /// - Parameter companion: What is kept for as long as the connection is there, even if it
    ///   never gets through the handshake; see `companion(of:)`.
    public func adopt(_ socket: AcceptedSocket, with companion: AnyObject? = nil) {
        checkConfinement()
        adoptions.append((socket, companion))
    }

    /// What came with a connection that was adopted; nil if nothing did or it is over.
    public func companion(of connection: UInt64) -> AnyObject? {
        checkConfinement()
        let index = Int(connection & 0xffff_ffff)
        guard slab.find(connection) != nil, index < companions.count else { return nil }
        return companions[index]
    }

    /// Serves the connections that were adopted, as if they had been accepted here.
    func takeAdoptions(_ handler: any LoopHandler) {
        guard !adoptions.isEmpty else { return }
        let batch = adoptions
        adoptions = []
        for (socket, companion) in batch {
            guard slab.count < limits.connectionsMax else {
                counters.adoptionsRefused += 1
                continue
            }
            let descriptor = socket.take()
            if descriptor >= 0 {
                serve(descriptor, socket.peer, socket.identity, companion, handler)
            }
        }
    }

    /// Accepts what waits at a listener, up to a bound.
    func accept(from index: Int, _ handler: any LoopHandler) {
        for _ in 0..<limits.acceptsPerTurn {
            let listener = listeners[index].descriptor
            guard listener >= 0, !areListenersPaused else { return }
            guard slab.count < limits.connectionsMax else { return pauseListeners() }
            if let (descriptor, peer) = acceptOne(from: index) {
                let identity = listeners[index].identity
                if let route = listeners[index].route {
                    route(AcceptedSocket(descriptor, peer, identity))
                } else {
                    serve(descriptor, peer, identity, nil, handler)
                }
                continue
            }
            switch errno {
            case EAGAIN: return
            case EINTR, ECONNABORTED, EPROTO, EPERM, ETIMEDOUT, EHOSTUNREACH, ENETUNREACH: continue
            // No descriptor or memory: the connection stays in the listener's queue and would
            // make it ready again at once, so it rests. The kernel looks for a descriptor before it
            // looks into the queue: the last one that was free may have gone to the last who came.
            default: return hasWaiting(listener) ? pauseListeners() : ()
            }
        }
    }

    /// Whether a connection waits to be accepted.
    private func hasWaiting(_ listener: Int32) -> Bool {
        var wanted = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, 0) != 0
    }

    /// Lets the listeners work again after a pause.
    func resumeListeners() {
        acceptDueAt = .max
        guard areListenersPaused, slab.count < limits.connectionsMax else { return }
        areListenersPaused = false
        watchListeners(.input)
    }

    private func serve(
        _ descriptor: Int32, _ peer: PeerAddress, _ identity: TLSServerIdentity?,
        _ companion: AnyObject?, _ handler: any LoopHandler
    ) {
        let connection = slab.add(descriptor, identity == nil ? .open : .securing)
        guard let entry = slab.find(connection) else { return }
        if let companion { keep(companion, at: Int(slab.index(of: entry))) }
        entry.pointee.interest = .input
        counters.accepted += 1
        if let identity {
            beginHandshake(entry, .server(identity, peer: peer, tlsWire()), handler)
        }
        if !poller.add(descriptor, token: connection, .input) {
            end(entry, .broken(code: errno))
        }
        if identity == nil { handler.accepted(connection, peer: peer) }
    }

    private func keep(_ companion: AnyObject, at index: Int) {
        while companions.count <= index { companions.append(nil) }
        companions[index] = companion
    }

    private func pauseListeners() {
        guard !areListenersPaused else { return }
        counters.acceptPauses += 1
        areListenersPaused = true
        acceptDueAt = now + Int64(limits.acceptPauseMilliseconds) * 1_000_000
        watchListeners([])
    }

    private func watchListeners(_ interest: Interest) {
        for (index, listener) in listeners.enumerated() where listener.descriptor >= 0 {
            poller.change(
                listener.descriptor, token: Token.firstListener + UInt64(index), interest)
        }
    }
}
