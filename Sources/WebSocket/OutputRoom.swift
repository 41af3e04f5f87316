/// Memory that zlib writes into, kept from one message to the next while it is small.
struct OutputRoom: ~Copyable {
    /// Memory beyond this size serves one message only.
    static let keptBytesMax = 65_536

    private(set) var start: UnsafeMutableRawPointer?
    private(set) var capacity = 0

    deinit { start?.deallocate() }

    /// Gives memory back that an unusually large message needed.
    mutating func trim() {
        guard capacity > Self.keptBytesMax else { return }
        start?.deallocate()
        start = nil
        capacity = 0
    }

    /// Makes room for at least `wanted` bytes and keeps the first `used` ones.
    mutating func grow(to wanted: Int, keeping used: Int) {
        guard wanted > capacity else { return }
        let larger = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 16)
        if let start {
            larger.copyMemory(from: start, byteCount: used)
            start.deallocate()
        }
        start = larger
        capacity = wanted
    }
}
