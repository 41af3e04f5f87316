internal import Dispatch
internal import Glibc

/// What is known of an outgoing connection before it is open.
struct OutgoingConnection {
    /// Addresses not tried yet.
    var addresses: [SocketAddress] = []
    /// Whom the other end must prove to be, if TLS is spoken.
    let security: (trust: TLSClientTrust, name: String)?
}

extension EventLoop {
    /// Begins to connect. Told by `connected` or `failed`, never within this call; with TLS after
    /// the handshake.
    ///
    /// A name is looked up on a queue of its own and its addresses are tried one after the other.
    /// There is no time limit but the system's; `close` gives up at once (and tells `closed`).
    ///
    /// - Parameters:
    ///   - host: A numeric address or a name.
    ///   - port: The port.
    ///   - tls: Has the connection speak TLS, with whoever this trusts.
    ///   - name: The host name, or numeric address, that the other end's certificate must be good
    ///     for; nil: `host`.
    public func connect(
        host: String, port: UInt16, tls: TLSClientTrust? = nil, name: String? = nil
    ) -> UInt64 {
        checkConfinement()
        let connection = slab.add(-1, .resolving)
        guard slab.count <= limits.connectionsMax else {
            fail(connection, .tooManyConnections(limit: limits.connectionsMax))
            return connection
        }
        outgoing[connection] = OutgoingConnection(security: tls.map { ($0, name ?? host) })
        switch SocketAddress.find(host: host, port: port, isNumeric: true) {
        case .success(let addresses):
            outgoing[connection]?.addresses = addresses
            tryNextAddress(connection, .badHost(host))
        case .failure:
            lookUp(host, port, for: connection)
        }
        return connection
    }

    /// An event of a connection on its way: it is open, or this address was in vain.
    func finishConnecting(
        _ entry: UnsafeMutablePointer<Connection>, _ connection: UInt64, _ handler: any LoopHandler
    ) {
        let code = pendingError(of: entry.pointee.descriptor)
        guard code == 0 else {
            Glibc.close(entry.pointee.descriptor)
            entry.pointee.descriptor = -1
            return tryNextAddress(connection, .from("connect", code))
        }
        let security = outgoing.removeValue(forKey: connection)?.security
        entry.pointee.state = security == nil ? .open : .securing
        updateInterest(entry)
        if let (trust, name) = security {
            return beginHandshake(entry, .client(trust, name: name, tlsWire()), handler)
        }
        handler.connected(connection)
    }

    /// A look-up can block for many seconds, so each has a queue, and with it a thread, of its own.
    private func lookUp(_ host: String, _ port: UInt16, for connection: UInt64) {
        DispatchQueue(label: "name look-up").async { [control] in
            let found = SocketAddress.find(host: host, port: port, isNumeric: false)
            // Refused only by a loop that has stopped and told the connection's end.
            _ = control.post { loop in loop.resolved(connection, host, found) }
        }
    }

    private func resolved(
        _ connection: UInt64, _ host: String, _ found: Result<[SocketAddress], LoopError>
    ) {
        guard slab.find(connection)?.pointee.state == .resolving else { return }
        switch found {
        case .success(let addresses):
            outgoing[connection]?.addresses = addresses
            tryNextAddress(connection, .unknownHost(host, reason: "the list is empty"))
        case .failure(let error):
            fail(connection, error)
        }
    }

    /// Tries addresses until one is on its way; fails with the last one's error.
    private func tryNextAddress(_ connection: UInt64, _ lastError: LoopError) {
        var lastError = lastError
        guard let entry = slab.find(connection) else { return }
        while let address = outgoing[connection]?.addresses.first {
            outgoing[connection]?.addresses.removeFirst()
            do throws(LoopError) {
                let descriptor = try streamSocket(family: address.family, limits)
                entry.pointee.descriptor = descriptor
                entry.pointee.state = .connecting
                let isUnderWay =
                    address.withAddress { Glibc.connect(descriptor, $0, $1) == 0 }
                    || errno == EINPROGRESS
                entry.pointee.interest = .output
                if isUnderWay, poller.add(descriptor, token: connection, .output) { return }
                let code = errno
                Glibc.close(descriptor)
                entry.pointee.descriptor = -1
                throw .from("connect", code)
            } catch {
                lastError = error
            }
        }
        fail(connection, lastError)
    }

    private func fail(_ connection: UInt64, _ error: LoopError) {
        guard let entry = slab.find(connection) else { return }
        end(entry, .closedHere, failure: error)
    }
}
