import Glibc

/// A plain blocking socket at the other end, with a time limit on every call.
final class TestPeer {
    let descriptor: Int32
    private var isOpen = true

    init(port: UInt16, receiveBytes: Int32? = nil) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        precondition(descriptor >= 0, "no socket for a test")
        if var bytes = receiveBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, 4)
        }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafeBytes(of: address) { bytes in
            connect(
                descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count))
        }
        precondition(result == 0, "a test's socket cannot connect: \(errno)")
    }

    deinit { close() }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var at = 0
        while at < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress! + at, bytes.count - at,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            at += count
        }
    }

    /// Exactly `count` bytes, or fewer if the connection ended or nothing came in time.
    func receive(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var at = 0
        while at < count {
            let got = bytes.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress! + at, count - at, 0)
            }
            guard got > 0 else { break }
            at += got
        }
        return Array(bytes[..<at])
    }

    func receiveText(_ count: Int) -> String { String(decoding: receive(count), as: UTF8.self) }

    enum Ending { case finished, reset, nothingInTime }

    /// All bytes until the end, and how it ended.
    func receiveAll() -> (count: Int, ending: Ending) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var total = 0
        while true {
            let got = recv(descriptor, &buffer, buffer.count, 0)
            if got > 0 {
                total += got
            } else if got == 0 {
                return (total, .finished)
            } else {
                return (total, errno == ECONNRESET ? .reset : .nothingInTime)
            }
        }
    }

    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends with a reset instead of a FIN.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    func close() {
        if isOpen { Glibc.close(descriptor) }
        isOpen = false
    }
}

extension TestPeer {
    /// Sends without waiting: how many bytes the kernel took, nil if none fit.
    func sendWhatFits(_ bytes: [UInt8]) -> Int? {
        let count = bytes.withUnsafeBytes {
            Glibc.send(
                descriptor, $0.baseAddress!, bytes.count,
                Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        return count > 0 ? count : nil
    }
}
