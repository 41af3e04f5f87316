import JSON

/// What data sources have answered so far, in the order in which the writer comes by.
///
/// Only objects that have asks below them get a node; a node's links lead, for each of its
/// steps that ask or have asks below, to a cell or to the first node below. A response
/// without asks needs nothing of this.
struct Answers {
    /// An object with asks on it or below.
    struct Node {
        /// Where its links begin.
        var links: Int
        /// The node behind all that lie below it.
        var end: Int
    }

    /// An asked position.
    struct Cell {
        var value: Resolved
        /// The first node within the value.
        var firstNode: Int
    }

    var nodes: [Node] = []
    var links: [Int] = []
    var cells: [Cell] = []
}
