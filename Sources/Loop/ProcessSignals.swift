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

    /// Begins to watch; the signals no longer end the process.
    ///
    /// - Parameters:
    ///   - signals: Which ones.
    ///   - queue: Where `told` is called.
    ///   - told: Called once for a burst of equal signals.
    public init(
        _ signals: Set<ProcessSignal>, on queue: DispatchQueue,
        told: @escaping @Sendable (ProcessSignal) -> Void
    ) {
        sources = signals.map { signal in
            // Without this the default action ends the process before the source hears of it.
            Glibc.signal(signal.number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: signal.number, queue: queue)
            source.setEventHandler { told(signal) }
            source.activate()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}

/// Has writes to a peer that has gone fail instead of ending the process.
///
/// Sockets ask for that with each send; pipes (standard output into `head`) and libraries that
/// call `write` themselves cannot. Call once, before anything else.
public func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
}
