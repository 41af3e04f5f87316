import Bytes

/// Places of a schema's names, such as the fields of all its types: one flat table with a cheap
/// hash, since no peer chooses what is in it. A look-up counts no references.
///
/// Unchecked because of the buffers: they are filled before `init` ends, never changed after, and
/// freed with the index, so that any thread that holds the index may read them.
final class NameIndex: @unchecked Sendable {
    /// A name, whose it is, and its place; free if the place is -1.
    private struct Slot {
        var mark: UInt64 = 0
        var start: Int32 = 0
        var count: Int32 = 0
        var owner: Int32 = 0
        var place: Int32 = -1
    }

    /// A power of two in number, half of them free at least.
    private let slots: UnsafeMutableBufferPointer<Slot>
    /// The names' bytes, one after the other.
    private let bytes: UnsafeMutableRawBufferPointer

    /// The places of names in a list; the first of equal ones counts.
    convenience init(_ names: [Text]) {
        self.init(names.enumerated().map { (owner: 0, name: $1, place: $0) })
    }

    /// Places of names of several owners; the first of equal ones counts.
    init(_ entries: [(owner: Int, name: Text, place: Int)]) {
        var count = 4
        while count < entries.count * 2 { count *= 2 }
        slots = .allocate(capacity: count)
        slots.initialize(repeating: Slot())
        let bytesCount = entries.reduce(0) { $0 + $1.name.byteCount }
        bytes = .allocate(byteCount: bytesCount, alignment: 8)
        var end = 0
        for (owner, name, place) in entries {
            name.withBytes { name in
                let mark = Self.mark(name, owner)
                let slot = slot(of: name, mark, owner)
                if slots[slot].place >= 0 { return }
                slots[slot] = Slot(
                    mark: mark, start: Int32(end), count: Int32(name.count),
                    owner: Int32(owner), place: Int32(place))
                UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyMemory(from: name)
                end += name.count
            }
        }
    }

    deinit {
        slots.deallocate()
        bytes.deallocate()
    }

    /// The place of a name.
    subscript(name: Text) -> Int? { place(of: name, in: 0) }

    /// The place of an owner's name.
    func place(of name: Text, in owner: Int) -> Int? {
        let place = name.withBytes { slots[slot(of: $0, Self.mark($0, owner), owner)].place }
        return place < 0 ? nil : Int(place)
    }

    /// Where a name is, or where there is room for it.
    private func slot(of name: UnsafeRawBufferPointer, _ mark: UInt64, _ owner: Int) -> Int {
        let last = slots.count - 1
        var index = Int(truncatingIfNeeded: mark) & last
        while slots[index].place >= 0 {
            let slot = slots[index]
            if slot.mark == mark, slot.owner == owner {
                let start = Int(slot.start)
                let known = UnsafeRawBufferPointer(
                    rebasing: bytes[start..<(start + Int(slot.count))])
                if known.hasSameBytes(as: name) { return index }
            }
            index = (index + 1) & last
        }
        return index
    }

    private static func mark(_ name: UnsafeRawBufferPointer, _ owner: Int) -> UInt64 {
        name.mark ^ UInt64(truncatingIfNeeded: owner) &* 0x9e37_79b9
    }
}

extension UnsafeRawBufferPointer {
    /// A hash without a seed: for tables whose names no peer chooses, and for short lists.
    var mark: UInt64 {
        var mark = UInt64(truncatingIfNeeded: count)
        var at = 0
        while at + 8 <= count {
            mark = Self.mixed(mark ^ loadUnaligned(fromByteOffset: at, as: UInt64.self))
            at += 8
        }
        var rest: UInt64 = 0
        while at < count {
            rest = rest << 8 | UInt64(self[at])
            at += 1
        }
        return Self.mixed(mark ^ rest)
    }

    /// Multiplication carries bits upwards, the shift brings them down to where tables look.
    private static func mixed(_ bits: UInt64) -> UInt64 {
        let product = bits &* 0x9e37_79b9_7f4a_7c15
        return product ^ product >> 32
    }
}
