/// One input of the fuzzer: the first bytes decide, the rest is what the decoder is fed with.
struct Input {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// One byte that decides something; 0 when there are no more.
    mutating func decision() -> UInt8 {
        guard position < bytes.count else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    /// What is left.
    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }

    /// What is left, of its own.
    var restArray: [UInt8] { Array(rest) }
}

/// Cuts bytes into pieces. `stride` 0 leaves them whole; other strides give pieces whose lengths
/// change in a way that the fuzzer decides with this one byte.
func pieces(of bytes: [UInt8], stride: UInt8) -> [[UInt8]] {
    guard stride > 0 else { return [bytes] }
    var result: [[UInt8]] = []
    var start = 0
    var length = Int(stride)
    while start < bytes.count {
        let end = min(bytes.count, start + 1 + length % 97)
        result.append(Array(bytes[start..<end]))
        start = end
        length = (length * 31 + 7) & 0xFFFF
    }
    return result
}

/// Traps with a sentence: the fuzzer has found something.
func demand(_ isTrue: Bool, _ sentence: @autoclosure () -> String) {
    if !isTrue { fatalError("FOUND: \(sentence())") }
}
