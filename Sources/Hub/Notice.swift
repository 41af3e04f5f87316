/// What an operator is told of while the hub runs: what is refused though it may be meant well, and
/// how to let it in. Each at most once a minute for each shard, whoever brings it about how often.
enum Notice: Hashable {
    /// A web page of an origin that is not let in.
    case originRefused
    /// A request under a name that the hub does not know.
    case nameUnknown

    static let secondsBetween: Int64 = 60
}

extension Shard {
    func notify(_ notice: Notice, _ sentence: String) {
        if let due = noticesDue[notice], moment.nanoseconds < due { return }
        noticesDue[notice] = later(Notice.secondsBetween)
        outlet.notify(sentence)
    }
}
