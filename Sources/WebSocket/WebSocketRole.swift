/// Which end of a WebSocket connection a session stands at.
public enum WebSocketRole: Sendable, Hashable {
    /// Reads masked frames, writes unmasked ones.
    case server
    /// Reads unmasked frames, writes masked ones.
    case client
}
