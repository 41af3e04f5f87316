import WebSocket

/// What sessions compress and inflate with (permessage-deflate, RFC 7692).
///
/// Every message stands alone, so all the sessions of a driver share one: however many they are,
/// there is one window to send with and a few to receive with. It holds no memory until a
/// compressed message is sent or comes.
final class Compression {
    /// Its watches of texts that come in parts are limited (`Inflater.watchesMax`).
    let inflater = Inflater()
    /// One window for each size that a server asked for; they hardly ever ask.
    let deflater = SharedDeflate()
}
