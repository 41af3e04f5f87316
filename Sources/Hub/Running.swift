import Access
import Broker
import Bytes
import GraphQL
import Models
import Records

/// An execution that is under way: of a request, or of an event for a group.
final class Running {
    /// Who gets the result.
    let target: Target
    var execution: Execution
    /// What was asked in this round: the readings of its answers, in the order of the batches.
    var pending: [Pending] = []
    /// What the store is asked in this round.
    var round = Round([])
    /// Rounds below the present root field.
    var rounds = 0
    /// Records that earlier rounds have read.
    var recordCount = 0
    /// How many values each batch of this round takes.
    var askCounts: [Int] = []
    /// Whether this round changes something, so that its answer is waited for.
    var isWriting = false
    /// When it began, by the monotonic clock.
    var startedAt: Int64 = 0
    /// The limit that ends it. A mutation goes on without the store from there, so that what it
    /// has changed is told.
    var fault: GraphQLError?
    /// It has been answered; what the store still says is dropped.
    var isOver = false
    /// The client has ended the operation or is gone: the result is dropped.
    var isCancelled = false
    /// The estimate of its cost, if the client wants to be told what it costs.
    var costToTell: Int?

    /// Who gets an execution's result.
    enum Target {
        /// The operation with this id on a socket.
        case socket(Connection, id: Text)
        /// The request that an HTTP connection waits for.
        case http(Connection, AnswerFormat)
        /// The members of a group, for this change.
        case group(GroupContext, Change)
    }

    /// One batch of this round.
    enum Pending {
        /// Its values are known already.
        case values([Resolved])
        /// Its values are read from this many answers of the store.
        case reading(FieldReading, answers: Int)
    }

    init(target: Target, execution: Execution, costToTell: Int? = nil) {
        self.target = target
        self.costToTell = costToTell
        self.execution = execution
    }
}

/// What a group of subscribers has in common, beside its entry in the broker.
final class GroupContext {
    /// What makes subscribers one group.
    struct Key: Hashable {
        var operation: ObjectIdentifier
        var variables: Variables
        var permit: Permit
    }

    let key: Key
    let operation: PreparedOperation
    let id: Broker.GroupID
    /// Relations that the store watches for this group's filter.
    let paths: [RelationPath]
    var watch: Watch
    /// Changes that wait because an earlier one is still being executed.
    var queue = Line<Change>()
    var running: Running?
    /// Whether `Shard.proceedWithQueue` is at work on this group.
    var isProceeding = false
    /// Whether the group is still in the broker.
    var isAlive = true

    /// Whether changes already carry what the filter needs.
    enum Watch {
        /// They do, or nothing is needed.
        case active
        /// The store has been asked; these subscribers wait, some of which may have left.
        case asked([(Connection, Text)])
        /// The store could not.
        case failed
    }

    init(
        key: Key, operation: PreparedOperation, id: Broker.GroupID, paths: [RelationPath]
    ) {
        self.key = key
        self.operation = operation
        self.id = id
        self.paths = paths
        watch = paths.isEmpty ? .active : .asked([])
    }
}

/// One live subscription, in the shard's slab.
struct Subscription {
    var connection: Connection
    var id: Text
    var group: GroupContext
    /// The member's place in the broker's group.
    var place: Int
    /// What is done when its peer reads too slowly.
    var policy: SlowConsumerPolicy
}
