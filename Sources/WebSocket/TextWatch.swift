/// Looks ahead into one compressed text while its parts come, so that it is refused at the first
/// byte that cannot be UTF-8, or beyond the limit, and not when it is whole.
///
/// Nothing inflated is kept. When the session lets go of it, its inflation goes back to the
/// inflater it came from.
final class TextWatch {
    private let inflation: Inflation
    private let inflater: Inflater

    init(_ inflation: Inflation, of inflater: Inflater) {
        self.inflation = inflation
        self.inflater = inflater
    }

    deinit { inflater.takeBack(inflation) }

    /// Looks at the next part, unmasked.
    func append(_ part: UnsafeRawBufferPointer) throws(WebSocketError) {
        try inflater.look(at: part, inflation)
    }
}
