internal import CLinux
internal import Glibc

/// What a loop waits for on a descriptor.
struct Interest: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    static let input = Interest(rawValue: 1)
    static let output = Interest(rawValue: 2)
}

/// What came true on a descriptor.
struct Readiness: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    static let input = Readiness(rawValue: 1)
    static let output = Readiness(rawValue: 2)
    /// Reset, or shut down in both directions. Told without being asked for.
    static let broken = Readiness(rawValue: 4)
}

/// The kernel's readiness queue: the only file of the room that knows epoll.
///
/// Level-triggered for sockets, because one `recv` a readiness is then fair and nothing is ever
/// missed. Edge-triggered for the doorbell and the alarm, because then neither needs a `read`.
/// A portable backend replaces this file: it needs `wait`, the three verbs for a descriptor, an
/// alarm, a doorbell, and one descriptor that Dispatch can watch while the loop is parked.
final class Poller {
    /// The descriptor that Dispatch watches: readable while any event waits.
    let descriptor: Int32
    /// Rings the loop from other threads.
    let doorbell: Doorbell
    private let alarm: Int32
    private var alarmAt: Int64?
    private let events: UnsafeMutablePointer<epoll_event>
    private let capacity: Int32

    init(eventsPerWait: Int, doorbellToken: UInt64, alarmToken: UInt64) throws(LoopError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .system(call: "epoll_create1", code: errno) }
        alarm = timerfd_create(
            CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        guard alarm >= 0 else {
            let code = errno
            Glibc.close(descriptor)
            throw .system(call: "timerfd_create", code: code)
        }
        guard let doorbell = Doorbell() else {
            let code = errno
            Glibc.close(descriptor)
            Glibc.close(alarm)
            throw .system(call: "eventfd", code: code)
        }
        self.doorbell = doorbell
        capacity = Int32(eventsPerWait)
        events = .allocate(capacity: eventsPerWait)
        control(
            EPOLL_CTL_ADD, doorbell.descriptor, doorbellToken, EPOLLIN.rawValue | clinux_epollet())
        control(EPOLL_CTL_ADD, alarm, alarmToken, EPOLLIN.rawValue | clinux_epollet())
    }

    deinit {
        Glibc.close(alarm)
        Glibc.close(descriptor)
        events.deallocate()
    }

    /// Waits for events and returns how many there are.
    func wait(milliseconds: Int32) -> Int {
        // EINTR counts as "nothing yet": the caller looks at the clock and comes again.
        Int(max(0, epoll_wait(descriptor, events, capacity, milliseconds)))
    }

    /// Whose event it is.
    func token(at index: Int) -> UInt64 { events[index].data.u64 }

    /// What came true.
    func readiness(at index: Int) -> Readiness {
        let bits = events[index].events
        var readiness = Readiness()
        if bits & EPOLLIN.rawValue != 0 { readiness.insert(.input) }
        if bits & EPOLLOUT.rawValue != 0 { readiness.insert(.output) }
        if bits & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { readiness.insert(.broken) }
        return readiness
    }

    /// Begins to watch a descriptor. Closing the descriptor ends it. False if the kernel refuses.
    func add(_ target: Int32, token: UInt64, _ interest: Interest) -> Bool {
        control(EPOLL_CTL_ADD, target, token, bits(interest))
    }

    /// Changes what is waited for.
    func change(_ target: Int32, token: UInt64, _ interest: Interest) {
        let isChanged = control(EPOLL_CTL_MOD, target, token, bits(interest))
        precondition(isChanged, "a watched descriptor is unknown to the kernel's poller")
    }

    /// Makes the poller readable at a monotonic time, so that a parked loop is woken.
    func setAlarm(at nanoseconds: Int64?) {
        guard nanoseconds != alarmAt else { return }
        alarmAt = nanoseconds
        var time = itimerspec()
        if let nanoseconds {
            // Zero would disarm; a time that is past fires at once.
            let nanoseconds = max(1, nanoseconds)
            time.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
            time.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        }
        timerfd_settime(alarm, Int32(TFD_TIMER_ABSTIME), &time, nil)
    }

    private func bits(_ interest: Interest) -> UInt32 {
        (interest.contains(.input) ? EPOLLIN.rawValue : 0)
            | (interest.contains(.output) ? EPOLLOUT.rawValue : 0)
    }

    @discardableResult
    private func control(
        _ verb: Int32, _ target: Int32, _ token: UInt64, _ bits: UInt32
    ) -> Bool {
        var event = epoll_event(events: bits, data: epoll_data_t(u64: token))
        return epoll_ctl(descriptor, verb, target, &event) == 0
    }
}

/// Wakes a loop from any thread. Lives as long as anyone who may ring it, so that its descriptor's
/// number is never somebody else's by the time it is rung.
final class Doorbell: Sendable {
    let descriptor: Int32

    init?() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        guard descriptor >= 0 else { return nil }
    }

    deinit { Glibc.close(descriptor) }

    func ring() {
        var one: UInt64 = 1
        // Can fail only when 2^64 rings are unread, and then the bell is ringing anyway.
        _ = Glibc.write(descriptor, &one, 8)
    }
}
