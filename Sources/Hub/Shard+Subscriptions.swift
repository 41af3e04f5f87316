import Access
import Broker
import Bytes
import GraphQL
import Models
import Records
import Subprotocol
import WebSocket

/// Beginning and ending subscriptions.
extension Shard {
    /// Makes the operation a member of its group, or says why it cannot be.
    func subscribe(
        _ connection: Connection, _ socket: Socket, id: Text, to operation: PreparedOperation,
        _ variables: Variables, under permit: Permit, _ policy: SlowConsumerPolicy
    ) {
        let subscriptionCount = socket.operations.count - connection.runningCount
        // What was begun and ended at once still occupies the store: a peer that does nothing
        // else is to be as limited as any.
        guard
            subscriptionCount + connection.unansweredCount < limits.subscriptionsPerConnectionMax
        else {
            note(.subscriptionsPerConnection)
            react(
                to: .tooManySubscriptions(id: id, limit: limits.subscriptionsPerConnectionMax),
                connection, socket)
            return
        }
        let key = GroupContext.Key(
            operation: ObjectIdentifier(operation), variables: variables, permit: permit)
        let group: GroupContext
        if let known = groups[key] {
            group = known
        } else {
            switch newGroup(key, operation, variables) {
            case .success(let created): group = created
            case .failure(let errors):
                refuse(connection, socket, id: id, errors.errors)
                return
            }
        }
        switch group.watch {
        case .active:
            activate(
                connection, socket, id: id, in: group, after: moment.committedOffset, policy)
        case .asked(let waiting):
            socket.operations[id] = .starting(group, policy)
            group.watch = .asked(waiting + [(connection, id)])
        case .failed: preconditionFailure("a group without its watch is removed at once")
        }
    }

    private func newGroup(
        _ key: GroupContext.Key, _ operation: PreparedOperation, _ variables: Variables
    ) -> Result<GroupContext, OperationErrors> {
        let target: SubscriptionTarget
        switch operation.subscriptionRoot(variables) {
        case .failure(let errors): return .failure(errors)
        case .success(let root):
            do throws(GraphQLError) {
                target = try schema.subscription(root.field, root.arguments)
            } catch {
                return .failure(OperationErrors(stage: .operation, errors: [error]))
            }
        }
        let id = broker.addGroup(
            to: Topic(model: target.model, kind: target.kind), filter: target.filter)
        let paths = target.filter.relationPaths.map {
            RelationPath(model: target.model, steps: $0)
        }
        let group = GroupContext(key: key, operation: operation, id: id, paths: paths)
        groups[key] = group
        while contexts.count <= id { contexts.append(nil) }
        contexts[id] = group
        if !paths.isEmpty { ask([.watch(paths)], for: .watch(group)) }
        return .success(group)
    }

    /// The store attaches the group's relations to all changes from now on, or cannot.
    func watched(_ group: GroupContext, _ answers: [StoreAnswer]) {
        let result: Result<UInt64, StoreFailure>
        switch answers.first {
        case .watching(let position): result = .success(max(moment.committedOffset, position))
        case .failed(let failure): result = .failure(failure)
        default: preconditionFailure("a watch was answered as something else")
        }
        guard case .asked(let waiting) = group.watch else {
            preconditionFailure("a watch is answered that nobody asked for")
        }
        // The group cannot be removed while it is `asked`, whatever connection ends below.
        for (connection, id) in waiting {
            guard case .socket(let socket) = connection.role,
                case .starting(let wanted, let policy) = socket.operations[id], wanted === group
            else {
                connection.unansweredCount -= 1
                continue
            }
            socket.operations[id] = nil
            switch result {
            case .success(let offset):
                activate(connection, socket, id: id, in: group, after: offset, policy)
            case .failure(let failure):
                refuse(connection, socket, id: id, [GraphQLError(failure.message)])
            }
        }
        if case .success = result { group.watch = .active } else { group.watch = .failed }
        removeIfUnused(group)
    }

    /// Takes a watch back. If the store cannot now, it is asked again with the next sweep.
    private func unwatch(_ paths: [RelationPath]) { ask([.unwatch(paths)], for: .unwatch(paths)) }

    func unwatched(_ paths: [RelationPath], _ answers: [StoreAnswer]) {
        guard case .failed = answers.first else { return }
        lostUnwatches.append(paths)
        scheduleSweep()
    }

    func repeatLostUnwatches() {
        let lost = lostUnwatches
        lostUnwatches = []
        for paths in lost { unwatch(paths) }
    }

    private func activate(
        _ connection: Connection, _ socket: Socket, id: Text, in group: GroupContext,
        after offset: UInt64, _ policy: SlowConsumerPolicy
    ) {
        let slot: UInt32
        if let free = freeSubscriptions.popLast() {
            slot = free
        } else {
            slot = UInt32(subscriptions.count)
            subscriptions.append(nil)
            fronts.append(
                EventFront(
                    connection: 0, head: [], waitingBytesMax: 0, windowBits: 0, framing: .webSocket,
                    isHeld: false))
        }
        var head = ByteQueue()
        head.reserve(id.byteCount + 36)
        if let stream = socket.stream {
            stream.appendNextHead(into: &head)
        } else {
            socket.dialect.appendNextHead(id: id, into: &head)
        }
        head.append(UInt8(ascii: "{"))
        let place = broker.join(group.id, member: slot, liveAfter: offset)
        subscriptions[Int(slot)] = Subscription(
            connection: connection, id: id, group: group, place: place, policy: policy)
        let isShareable = head.count + Self.noteBytesMax <= SharedDeflate.prefixBytesMax
        let waitingBytesMax =
            policy == .close
            ? limits.outboxBytesMax : min(limits.parkingBytesMin, limits.outboxBytesMax)
        fronts[Int(slot)] = EventFront(
            connection: connection.handle, head: head.array,
            waitingBytesMax: UInt32(clamping: waitingBytesMax),
            windowBits: isShareable ? UInt8(socket.windowBits ?? 0) : 0,
            framing: socket.stream?.framing ?? .webSocket,
            isHeld: policy != .close && socket.parking?.isHolding == true)
        frontBytesMax = max(frontBytesMax, head.count)
        counters.subscriptionsLive += 1
        socket.operations[id] = .live(slot)
        if socket.dialect.acksSubscriptions {
            send(.startAck(id: id), to: connection, socket)
        }
    }

    /// Ends an operation that the client, or the end of its connection, has ended.
    func end(_ operation: Socket.OpenOperation, id: Text, of connection: Connection) {
        switch operation {
        case .running(let running):
            running.isCancelled = true
            connection.runningCount -= 1
            connection.unansweredCount += 1
        case .starting: connection.unansweredCount += 1
        case .live(let slot): remove(slot)
        }
    }

    private func remove(_ slot: UInt32) {
        guard let subscription = subscriptions[Int(slot)] else {
            preconditionFailure("a subscription is ended twice")
        }
        freeParked(of: slot, subscription.connection)
        subscriptions[Int(slot)] = nil
        fronts[Int(slot)].head = []
        freeSubscriptions.append(slot)
        counters.subscriptionsLive -= 1
        let group = subscription.group
        if let moved = broker.leave(group.id, at: subscription.place) {
            subscriptions[Int(moved)]?.place = subscription.place
        }
        removeIfUnused(group)
    }

    func removeIfUnused(_ group: GroupContext) {
        guard group.isAlive, broker.isEmpty(group.id) else { return }
        // Until its watch is answered a group stays, so that it is known what to take back.
        if case .asked = group.watch { return }
        group.isAlive = false
        group.queue.removeAll()
        group.running?.isCancelled = true
        broker.removeGroup(group.id)
        contexts[group.id] = nil
        groups[group.key] = nil
        if !group.paths.isEmpty, case .active = group.watch { unwatch(group.paths) }
    }
}
