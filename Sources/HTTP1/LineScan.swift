/// Finds the end of a line that may still be arriving.
enum LineScan {
    /// Looks for CR LF from `scanned` on, where an earlier call stopped.
    ///
    /// - Returns: the offset of the CR, or nil if the line is not whole yet.
    /// - Throws: at the first byte that cannot stand in a line: RFC 9112 §2.2 lets a recipient
    ///   take a bare LF for a line's end, and that difference between two recipients is how
    ///   requests are smuggled, so we do not.
    static func end(
        in bytes: UnsafeRawBufferPointer, from scanned: Int, lineStart: Int
    ) throws(HTTPError) -> Int? {
        var index = scanned
        var previous = index > lineStart ? bytes[index - 1] : 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == ASCII.lineFeed {
                if previous == ASCII.carriageReturn { return index - 1 }
                throw .bareLineEnd
            }
            if previous == ASCII.carriageReturn { throw .bareLineEnd }
            if byte < 0x20 && byte != ASCII.tab && byte != ASCII.carriageReturn || byte == 0x7f {
                throw .controlCharacter
            }
            previous = byte
            index += 1
        }
        return nil
    }
}
