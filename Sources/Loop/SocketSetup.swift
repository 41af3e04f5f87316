internal import CLinux
internal import Glibc

/// A socket address as the system calls want it.
struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    private var length: socklen_t = 0

    init(_ info: addrinfo) {
        length = info.ai_addrlen
        withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.copyMemory(
                from: UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    func withAddress<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        withUnsafeBytes(of: storage) { bytes in
            body(bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), length)
        }
    }

    /// The addresses of a numeric host (at once), or of a name (which may take many seconds).
    static func find(
        host: String, port: UInt16, isNumeric: Bool
    ) -> Result<[SocketAddress], LoopError> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | (isNumeric ? AI_NUMERICHOST : AI_ADDRCONFIG)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        defer { freeaddrinfo(list) }
        guard code == 0 else {
            if isNumeric { return .failure(.badHost(host)) }
            return .failure(.unknownHost(host, reason: String(cString: gai_strerror(code))))
        }
        var addresses: [SocketAddress] = []
        var next = list
        while let info = next?.pointee {
            addresses.append(SocketAddress(info))
            next = info.ai_next
        }
        return .success(addresses)
    }
}

/// A new socket that does not block. Throws what the system said.
func streamSocket(family: Int32, _ limits: LoopLimits) throws(LoopError) -> Int32 {
    let descriptor = socket(
        family,
        Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .from("socket", errno) }
    // A turn's bytes leave by one send, so there is nothing for Nagle's algorithm to gather.
    setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    if let bytes = limits.socketSendBytes { setOption(descriptor, SOL_SOCKET, SO_SNDBUF, bytes) }
    if let bytes = limits.socketUnsentBytes {
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, bytes)
    }
    if let bytes = limits.socketReceiveBytes { setOption(descriptor, SOL_SOCKET, SO_RCVBUF, bytes) }
    return descriptor
}

/// A listening socket. What is set on it is inherited by what it accepts, which saves every
/// accepted connection the calls.
func listeningSocket(
    host: String, port: UInt16, _ limits: LoopLimits
) throws(LoopError) -> Int32 {
    let found = try SocketAddress.find(host: host, port: port, isNumeric: true).get()
    guard let address = found.first else { throw .badHost(host) }
    let descriptor = try streamSocket(family: address.family, limits)
    setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if address.family == AF_INET6 { setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
    let isBound = address.withAddress { bind(descriptor, $0, $1) == 0 }
    guard isBound, Glibc.listen(descriptor, limits.listenBacklog) == 0 else {
        let code = errno
        Glibc.close(descriptor)
        throw .from(isBound ? "listen" : "bind", code, host: host, port: port)
    }
    return descriptor
}

/// The port a socket is bound to.
func localPort(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    _ = withUnsafeMutableBytes(of: &storage) { bytes in
        getsockname(
            descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
    }
    return PeerAddress(storage).port
}

private func setOption(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int) {
    var value = Int32(truncatingIfNeeded: value)
    // Options are wishes: a kernel that refuses one still carries the connection.
    _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
}
