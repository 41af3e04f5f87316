import Glibc

/// Processor time that this process has used, and when it was read.
struct ProcessorTime: Sendable {
    private var used: Double
    private var readAt: Int64

    init() {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        used = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
        readAt = clockNanoseconds()
    }

    /// How many cores were busy with this process between the two.
    func since(_ earlier: ProcessorTime) -> Double {
        (used - earlier.used) / max(1e-9, Double(readAt - earlier.readAt) / 1e9)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}
