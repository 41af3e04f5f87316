internal import Glibc

/// Why a loop could not do what it was asked: the world's fault, told to whoever asked.
public enum LoopError: Error, Sendable, Hashable {
    /// Another socket listens there already.
    case addressInUse(host: String, port: UInt16)
    /// The system does not let this user listen there.
    case permissionDenied(host: String, port: UInt16)
    /// The address belongs to no interface of this machine.
    case addressNotHere(host: String)
    /// The host is not a numeric IP address.
    case badHost(String)
    /// The name has no address, or the look-up had no answer. `reason` is the resolver's.
    case unknownHost(String, reason: String)
    /// Nothing listens at the other end.
    case connectionRefused
    /// The other end did not answer.
    case timedOut
    /// No route leads to the other end.
    case unreachable
    /// The process or the machine has no free file descriptor.
    case tooManyDescriptors
    /// The loop has as many connections as `LoopLimits.connectionsMax` allows.
    case tooManyConnections(limit: Int)
    /// The other end does not speak TLS, or not as we do. `reason` is the TLS library's.
    case handshakeFailed(reason: String)
    /// The other end ended the connection in the middle of the TLS handshake.
    case handshakeCutOff
    /// The other end did not prove to be who it should be. `reason` is the TLS library's.
    case certificateRefused(reason: String, isAuthorityUnknown: Bool)
    /// Any other refusal of the system.
    case system(call: String, code: Int32)

    /// The error that a failed call means.
    static func from(_ call: String, _ code: Int32, host: String = "", port: UInt16 = 0) -> Self {
        switch code {
        case EADDRINUSE: .addressInUse(host: host, port: port)
        case EACCES, EPERM: .permissionDenied(host: host, port: port)
        case EADDRNOTAVAIL: .addressNotHere(host: host)
        case ECONNREFUSED: .connectionRefused
        case ETIMEDOUT: .timedOut
        case EHOSTUNREACH, ENETUNREACH: .unreachable
        case EMFILE, ENFILE: .tooManyDescriptors
        default: .system(call: call, code: code)
        }
    }
}

extension LoopError: CustomStringConvertible {
    /// One sentence for the operator.
    public var description: String {
        switch self {
        case .addressInUse(let host, let port):
            "port \(port) on \(host) is in use (stop the program that has it or choose another)"
        case .permissionDenied(let host, let port):
            "port \(port) on \(host) is not allowed for this user (ports below 1024 need a right)"
        case .addressNotHere(let host):
            "address \(host) belongs to no interface of this machine (0.0.0.0 or :: means all)"
        case .badHost(let host):
            "host `\(host)` is not an IP address (write 127.0.0.1, ::1, 0.0.0.0 or ::)"
        case .unknownHost(let host, let reason):
            "host `\(host)` has no address: \(reason)"
        case .connectionRefused: "nothing listens there: connection refused"
        case .timedOut: "no answer from there in time"
        case .unreachable: "no route leads there"
        case .tooManyDescriptors:
            "no free file descriptor (raise the limit: `ulimit -n`, LimitNOFILE=)"
        case .tooManyConnections(let limit):
            "the limit of \(limit) connections of this loop is reached"
        case .handshakeFailed(let reason):
            "the TLS handshake failed: \(reason) (does the other end speak TLS on this port?)"
        case .handshakeCutOff: "the other end ended the connection during the TLS handshake"
        case .certificateRefused(let reason, let isAuthorityUnknown):
            "the other end's certificate is not trusted: \(reason)"
                + (isAuthorityUnknown ? " (name its authority's file: --ca-file)" : "")
        case .system(let call, let code):
            "\(call): \(systemErrorText(code)) (error \(code))"
        }
    }
}

/// The system's words for an error number.
func systemErrorText(_ code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
        // The XSI form fills the buffer and ends it with a zero; an unknown number has a text too.
        text[0] = 0
        _ = strerror_r(code, text.baseAddress!, text.count)
        return String(cString: text.baseAddress!)
    }
}
