public import Dispatch
internal import Glibc

/// A signal that an operator or a service manager sends.
public enum ProcessSignal: Sendable, Hashable, CaseIterable {
    /// SIGTERM: a service manager asks to end.
    case terminate
    /// SIGINT: Ctrl-C.
    case interrupt
    /// SIGHUP: read the configuration again, or the terminal went away.
    case hangUp

    var number: Int32 {
        switch self {
        case .terminate: SIGTERM
        case .interrupt: SIGINT
        case .hangUp: SIGHUP
        }
    }
}

/// Tells signals on a queue, as ordinary calls, for as long as the object lives.
public final class SignalWatch {
    private let sources: [any DispatchSourceSignal]

    /// Begins to watch; when this returns, the signals no longer end the process.
    ///
    /// - Parameters:
    ///   - signals: Which ones.
    ///   - queue: Where `told` is called.
    ///   - told: Called once for a burst of equal signals.
    public init(
        _ signals: Set<ProcessSignal>, on queue: DispatchQueue,
        told: @escaping @Sendable (ProcessSignal) -> Void
    ) {
        // A queue in between, so that waiting for the registration below cannot wait for `queue`,
        // which may be the caller's own.
        let registrar = DispatchQueue(label: "signals")
        let registered = DispatchSemaphore(value: 0)
        sources = signals.map { signal in
            // Ignored until the source is in place; before and after nothing ends the process.
            Glibc.signal(signal.number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: signal.number, queue: registrar)
            source.setEventHandler { queue.async { told(signal) } }
            source.setRegistrationHandler { registered.signal() }
            source.activate()
            return source
        }
        // Without the wait a signal that comes right now would be lost.
        for _ in sources { registered.wait() }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}

/// Has writes that cannot be done fail instead of ending the process: to a peer that has gone, and
/// to a file that has reached the process's limit of file sizes.
///
/// Sockets ask for the former with each send; pipes (standard output into `head`) and libraries
/// that call `write` themselves cannot. Call once, before anything else.
public func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
}
