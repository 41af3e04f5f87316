import Glibc

extension UnsafeRawBufferPointer {
    /// Where the other bytes stand first; nil if nowhere, or if there are none to look for.
    func firstIndex(of needle: UnsafeRawBufferPointer) -> Int? {
        guard let base = baseAddress, let wanted = needle.baseAddress, !needle.isEmpty else {
            return nil
        }
        var at = 0
        while at + needle.count <= count {
            let room = count - needle.count + 1 - at
            guard let hit = memchr(base + at, Int32(needle[0]), room) else { return nil }
            at = UnsafeRawPointer(hit) - base
            if memcmp(base + at, wanted, needle.count) == 0 { return at }
            at += 1
        }
        return nil
    }

    /// Whether the literal stands anywhere.
    func contains(_ word: StaticString) -> Bool {
        let needle = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        return firstIndex(of: needle) != nil
    }
}
