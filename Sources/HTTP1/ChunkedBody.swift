/// Takes a chunked body apart while it arrives (RFC 9112 §7.1).
///
/// Strict to the letter: what one recipient forgives and the next does not is how requests are
/// smuggled. Extensions and trailers are checked, bounded and dropped.
struct ChunkedBody {
    enum Step {
        /// That many bytes at the front are done with; there may be more to do.
        case passed(Int)
        /// That many bytes at the front are body.
        case data(Int)
        /// The body ends behind that many bytes.
        case ended(Int)
        /// More bytes are needed.
        case waits
    }

    private enum Place {
        case size
        case data(left: Int)
        case dataEnd
        case trailers
    }

    private var place = Place.size
    /// How far the line at the front has been looked at.
    private var scanned = 0
    /// Body bytes of all chunks so far.
    private var announced = 0
    /// Bytes of chunk extensions and trailers so far.
    private var overhead = 0
    private var trailerCount = 0

    /// The next step with `bytes`, the input from where the last step left off.
    mutating func advance(
        _ bytes: UnsafeRawBufferPointer, limits: HTTPLimits
    ) throws(HTTPError) -> Step {
        switch place {
        case .data(let left):
            if bytes.isEmpty { return .waits }
            let count = min(left, bytes.count)
            place = count == left ? .dataEnd : .data(left: left - count)
            return .data(count)
        case .dataEnd:
            guard let first = bytes.first else { return .waits }
            guard first == ASCII.carriageReturn else { throw .malformedChunk }
            if bytes.count == 1 { return .waits }
            guard bytes[1] == ASCII.lineFeed else { throw .malformedChunk }
            place = .size
            return .passed(2)
        case .size, .trailers:
            guard let count = try lineCount(bytes, limits) else { return .waits }
            let line = UnsafeRawBufferPointer(rebasing: bytes[..<count])
            if case .trailers = place { return try readTrailer(line, limits) }
            try readSize(line, limits)
            return .passed(count + 2)
        }
    }

    /// The length of the line at the front without its end, or nil if it is not whole.
    private mutating func lineCount(
        _ bytes: UnsafeRawBufferPointer, _ limits: HTTPLimits
    ) throws(HTTPError) -> Int? {
        // Sixteen digits and the line's end are free; all else counts as overhead.
        let limit = 18 + max(0, limits.headBytesMax - overhead)
        let window = UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, limit)])
        if let end = try LineScan.end(in: window, from: scanned, lineStart: 0) {
            scanned = 0
            return end
        }
        if window.count == limit { throw .headTooLarge(limit: limits.headBytesMax) }
        scanned = window.count
        return nil
    }

    /// `chunk-size [chunk-ext]`.
    private mutating func readSize(
        _ line: UnsafeRawBufferPointer, _ limits: HTTPLimits
    ) throws(HTTPError) {
        var size = 0
        var digits = 0
        while digits < line.count, let digit = ASCII.hexValue(line[digits]) {
            guard digits < 15 else { throw .malformedChunk }
            size = size << 4 | Int(digit)
            digits += 1
        }
        guard digits > 0 else { throw .malformedChunk }
        guard ChunkExtensions.areValid(line[digits...]) else { throw .malformedChunk }
        overhead += line.count - digits
        if size == 0 {
            place = .trailers
            return
        }
        guard size <= limits.bodyBytesMax - announced else {
            throw .bodyTooLarge(size: nil, limit: limits.bodyBytesMax)
        }
        announced += size
        place = .data(left: size)
    }

    private mutating func readTrailer(
        _ line: UnsafeRawBufferPointer, _ limits: HTTPLimits
    ) throws(HTTPError) -> Step {
        if line.isEmpty { return .ended(2) }
        overhead += line.count + 2
        trailerCount += 1
        guard trailerCount <= limits.fieldCountMax else {
            throw .tooManyFields(limit: limits.fieldCountMax)
        }
        _ = try HeadParser.field(0..<line.count, line)
        return .passed(line.count + 2)
    }
}
