import CLinux
public import Synchronization

/// A value behind a lock: Swift's `Mutex`, and in builds with the thread sanitizer an account of
/// what it orders, which the sanitizer cannot see in the toolchain's library.
///
/// For the few places where queues meet; rooms that are told things have none.
public struct Guarded<Value>: ~Copyable, @unchecked Sendable {
    // Sendable like the mutex; the name is one address, made once and never written through.
    @usableFromInline let mutex: Mutex<Value>
    /// One byte whose address stands for the lock.
    @usableFromInline let name: LockName

    /// A value that nobody else holds.
    public init(_ value: consuming sending Value) {
        mutex = Mutex(value)
        name = LockName()
    }

    deinit { name.forget() }

    /// Runs the body with the value while no other thread does.
    @inlinable public borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let name = name
        return try mutex.withLock { (value: inout sending Value) throws(Failure) -> Result in
            name.acquired()
            defer { name.releases() }
            return try body(&value)
        }
    }
}

/// What the thread sanitizer knows a lock by.
@usableFromInline struct LockName {
    private let address = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)

    init() {}

    func forget() { address.deallocate() }

    @usableFromInline func acquired() { clinux_lock_acquired(address) }

    @usableFromInline func releases() { clinux_lock_releases(address) }
}
