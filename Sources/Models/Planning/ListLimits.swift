/// How many records one page of a list may hold.
enum ListLimits {
    /// Without a `limit` argument, as AppSync has it (AppSync contract 4.5).
    static let usual = 100
    /// More in one page is refused: a page is one answer in memory.
    static let max = 1000
}
