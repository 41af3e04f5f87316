/// What a `SQLiteStore` may keep and spend.
public struct SQLiteStoreLimits: Sendable, Hashable {
    /// How many of the last changes are kept for clients that come back; at least 1. 1,000,000.
    public var changesKeptMax: Int
    /// Memory for pages of the file, in KiB. 65,536.
    public var pageCacheKiB: Int
    /// The size of the write-ahead log at which it is copied back into the file, in pages of
    /// 4 KiB. 4,000: larger means fewer, longer pauses.
    public var logPagesMax: Int
    /// Files up to this size are checked whole when they are opened, which takes about a second
    /// a GiB. 67,108,864; larger files are only checked where they are read.
    public var checkBytesMax: Int

    /// The defaults, or others.
    public init(
        changesKeptMax: Int = 1_000_000, pageCacheKiB: Int = 65_536, logPagesMax: Int = 4_000,
        checkBytesMax: Int = 64 << 20
    ) {
        self.changesKeptMax = max(1, changesKeptMax)
        self.pageCacheKiB = max(256, pageCacheKiB)
        self.logPagesMax = max(100, logPagesMax)
        self.checkBytesMax = checkBytesMax
    }
}
