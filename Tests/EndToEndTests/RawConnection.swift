import Foundation
import Glibc

/// A TCP connection to a hub on this machine that sends exactly the bytes it is given.
final class RawConnection {
    private let descriptor: Int32
    private var received: [UInt8] = []

    /// How long one read may take before the test fails; the hub answers in milliseconds.
    private static let readSecondsMax = 20

    init(port: Int) throws {
        descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var patience = timeval(tv_sec: Self.readSecondsMax, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        // `deinit` runs although this throws, and closes the descriptor. Closing it here too would
        // close whatever another test has opened in between.
        guard code == 0 else { throw ProgramFailure("no connection to port \(port)") }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw ProgramFailure("the hub takes no more bytes") }
            sent += count
        }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// The next bytes, exactly so many; nil if the hub ends the connection before.
    func take(_ count: Int) throws -> [UInt8]? {
        while received.count < count {
            guard try receive() else { return nil }
        }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    /// Everything up to and with the mark; nil if the hub ends the connection before.
    func take(through mark: String) throws -> String? {
        while true {
            let text = String(decoding: received, as: UTF8.self)
            if let end = text.range(of: mark)?.upperBound {
                let part = text[..<end]
                received.removeFirst(part.utf8.count)
                return String(part)
            }
            guard try receive() else { return nil }
        }
    }

    /// Everything until the hub ends the connection.
    func takeAll() throws -> String {
        while try receive() {}
        return String(decoding: received, as: UTF8.self)
    }

    /// Reads once; false at the end of the connection.
    private func receive() throws -> Bool {
        var part = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &part, part.count, 0)
        if count < 0, errno == EAGAIN {
            throw ProgramFailure(
                "no byte within \(Self.readSecondsMax) s; \(received.count) had come before")
        }
        received += part.prefix(max(0, count))
        return count > 0
    }
}
