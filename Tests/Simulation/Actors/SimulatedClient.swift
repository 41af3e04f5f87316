import Bytes
import Hub
import HubClient
import JSON
import Subprotocol

/// A real client session with an owner that acts by chance: subscribes, stops, asks, writes.
///
/// Drives the session as `ClientDriver` does: after every call it pulls events until there is
/// none, then takes the output, then reads when to wake it.
final class SimulatedClient: Peer {
    private struct Subscription {
        var interest: Interest
        /// What it has asked for in its own name; nil for what holds for the connection.
        var policy: SlowConsumerPolicy?
        /// What is checked on the present connection; nil while it is not sent.
        var check: DeliveryCheck?
    }

    private enum Operation {
        case subscription(Subscription)
        case mutation(Attempt, number: Int)
        /// A question for one message, and the store's offset when it was asked.
        case question(id: Text, since: UInt64, number: Int)
        /// A question whose answer shows that what was sent before has been carried out.
        case probe(number: Int)
    }

    let name: String
    private let run: Run
    private var session: ClientSession
    private var link: Link?
    /// The connection that ended last.
    private var lastLink: Link?
    /// When it was ready, until it has come back.
    private var lostAt: Int64?
    private var operations: [OperationHandle: Operation] = [:]
    private var attempts: AttemptSource
    private var random: SeededRandom
    private var wakeAt: Int64?
    private var isLeaving = false
    /// Whether it has ended the session itself.
    private var isAway = false
    /// What it asks for all its subscriptions; nil for what the hub has for everybody.
    private var policy: SlowConsumerPolicy?
    private var stallCount = 0

    init(_ number: Int, _ run: Run) {
        name = "client \(number)"
        self.run = run
        random = run.world.newRandom()
        attempts = AttemptSource(actor: "c\(number)")
        var configuration = ClientConfiguration(endpoint: Endpoint(host: "hub", port: 80))
        configuration.retriesWithoutOperations = random.chance(50)
        policy = Self.drawPolicy(&random)
        if let policy { configuration.initPayload = Self.option(policy) }
        session = ClientSession(configuration, random: run.world.newRandom())
    }

    private var world: World { run.world }

    private static func drawPolicy(_ random: inout SeededRandom) -> SlowConsumerPolicy? {
        random.chance(40) ? nil : random.pick(SlowConsumerPolicy.allCases)
    }

    private static func option(_ policy: SlowConsumerPolicy) -> JSONObject {
        ["heliograph": ["slowConsumer": .string(Text(policy.rawValue))]]
    }

    // MARK: Acting

    func beginActing() { scheduleAction() }

    private func scheduleAction() {
        world.after(random.skewed(.milliseconds(1)...(4 * run.plan.pace))) { [self] in
            guard run.isBusy else { return }
            act()
            scheduleAction()
        }
    }

    private func act() {
        if isAway { return comeBack() }
        let live = subscriptionHandles
        if run.plan.has(.stalledReaders), random.chance(12) { return stall() }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25 where live.count < 6: subscribe(.draw(&random), Self.drawPolicy(&random))
        case 25..<33 where !live.isEmpty: stop(random.pick(live))
        case 33..<75: mutate()
        case 75..<85: ask()
        case 85..<97: probe()
        case 97 where random.chance(50): leave()
        default: break
        }
    }

    /// Stops reading for a while.
    private func stall() {
        stall(for: random.skewed(.milliseconds(100)...(.seconds(9))))
    }

    func stall(for time: Int64) {
        guard let link else { return }
        stallCount += 1
        let present = stallCount
        world.note("\(name): stops reading for \(time / 1_000_000) ms")
        link.setPeerReading(false)
        world.after(time) { [self] in if stallCount == present { link.setPeerReading(true) } }
    }

    /// Reads again, whatever it has stopped before.
    func goOnReading() {
        stallCount += 1
        link?.setPeerReading(true)
    }

    /// Connects again after it has left.
    func comeBack() {
        guard isAway else { return }
        isAway = false
        session.connect(now: world.now)
        pull()
    }

    private var subscriptionHandles: [OperationHandle] {
        operations.keys.sorted().filter {
            if case .subscription = operations[$0] { true } else { false }
        }
    }

    /// How many subscriptions it has that are not over.
    var subscriptionCount: Int { subscriptionHandles.count }

    func subscribe(_ interest: Interest, _ policy: SlowConsumerPolicy? = nil) {
        let request = OperationRequest(
            query: interest.query, variables: interest.variables,
            extensions: policy.map(Self.option) ?? [:])
        guard let handle = start(request, .subscription) else { return }
        world.note(
            "\(name): subscribes \(handle.number) \(interest.field) "
                + JSONValue.object(interest.variables).jsonText
                + (policy.map { ", \($0)" } ?? ""))
        var subscription = Subscription(interest: interest, policy: policy)
        if session.phase == .ready { subscription.check = newCheck(subscription) }
        operations[handle] = .subscription(subscription)
        pull()
    }

    private func newCheck(_ subscription: Subscription) -> DeliveryCheck {
        DeliveryCheck(
            subscription.interest,
            subscription.policy ?? policy ?? run.plan.slowConsumerPolicy, floor: run.journal.end)
    }

    private func stop(_ handle: OperationHandle) {
        world.note("\(name): stops \(handle.number)")
        operations[handle] = nil
        session.stop(handle, now: world.now)
        pull()
    }

    /// Sends one mutation, now.
    func mutate() {
        let attempt = attempts.draw(run.journal, &random)
        let request = OperationRequest(query: attempt.query, variables: attempt.variables)
        guard let handle = start(request, .mutation) else { return }
        run.attempts.append(attempt)
        world.note("\(name): \(handle.number) \(attempt.field) \(attempt.id)")
        let number = run.ends.began("\(name)'s \(attempt.field) of \(attempt.id)", at: world.now)
        operations[handle] = .mutation(attempt, number: number)
        pull()
    }

    private func ask() {
        let ids = run.journal.ids(of: "Message")
        let id = ids.isEmpty || random.chance(10) ? "nothing" : random.pick(ids)
        let request = OperationRequest(
            query: "query($id: ID!) {getMessage(id: $id) {id body thread {name}}}",
            variables: ["id": .string(id)])
        guard let handle = start(request, .query) else { return }
        let number = run.ends.began("\(name)'s question for \(id)", at: world.now)
        operations[handle] = .question(id: id, since: run.journal.end, number: number)
        pull()
    }

    /// Asks something whose answer proves that all subscriptions sent before are live: messages
    /// of a connection are carried out in order, and so are a shard's questions to the store.
    func probe() {
        let request = OperationRequest(query: "{getThread(id: \"t0\") {id}}")
        guard let handle = start(request, .query) else { return }
        operations[handle] = .probe(number: run.ends.began("\(name)'s probe", at: world.now))
        pull()
    }

    private func start(
        _ request: OperationRequest, _ kind: OperationKind
    ) -> OperationHandle? {
        do throws(ClientError) {
            return try session.start(request, kind: kind, now: world.now)
        } catch {
            world.violate("\(name): an operation cannot be started: \(error)")
            return nil
        }
    }

    /// Ends the session in good order.
    func leave() {
        world.note("\(name): leaves")
        isLeaving = true
        session.disconnect(now: world.now)
        pull()
        isLeaving = false
        isAway = true
        lostAt = nil
    }

    // MARK: The network tells

    func opened(_ link: Link) {
        guard link === self.link else { return }
        session.opened(now: world.now)
        pull()
    }

    func received(_ link: Link, _ bytes: UnsafeMutableRawBufferPointer) {
        guard link === self.link else { return }
        session.received(bytes, now: world.now)
        pull()
    }

    func finished(_ link: Link) {
        link.close()
        broken(link)
    }

    func broken(_ link: Link) {
        guard link === self.link else { return }
        self.link = nil
        session.closed(now: world.now)
        pull()
    }

    // MARK: Driving the session

    private func pull() {
        while let event = session.next() {
            switch event {
            case .connect: link = run.network.connect(self)
            case .disconnect:
                flush()
                link?.close()
                lastLink = link
                link = nil
            case .ready: becameReady()
            case .next(let handle, let payload): received(handle, payload)
            case .failed(let handle, let failure): failed(handle, failure)
            case .completed(let handle): completed(handle)
            case .disconnected(let error, let retryAt): disconnected(error, retryAt)
            case .gaveUp(let error):
                if !isLeaving { world.violate("\(name): gave up: \(error)") }
                forgetChecks()
            }
        }
        flush()
        guard let due = session.wakeAt, due != wakeAt else { return }
        wakeAt = due
        world.at(due) { [self] in
            guard wakeAt == due else { return }
            wakeAt = nil
            session.woke(now: world.now)
            pull()
        }
    }

    private func flush() {
        session.takeOutput { link?.write($0) }
    }

    /// All operations have been sent on the new connection.
    private func becameReady() {
        world.note("\(name): ready")
        checkReturn()
        for (handle, operation) in operations {
            guard case .subscription(var subscription) = operation else { continue }
            subscription.check = newCheck(subscription)
            operations[handle] = .subscription(subscription)
        }
    }

    private func disconnected(_ error: ClientError, _ retryAt: Int64?) {
        world.note("\(name): disconnected: \(error)")
        if !run.plan.losesConnections { world.violate("\(name): lost its connection: \(error)") }
        if case .closed(1012, _) = error, let promised = lastLink?.promised {
            run.promiseCount += 1
            for handle in subscriptionHandles {
                guard case .subscription(let subscription) = operations[handle],
                    let check = subscription.check,
                    !(check.policy == .dropOldest && mayLoseLast)
                else { continue }
                complain(
                    check.missing(run.journal, upTo: promised).map {
                        "was closed in its turn: \($0)"
                    })
            }
        }
        // Whoever wants nothing comes back when it wants something.
        lostAt = retryAt == nil ? nil : lostAt ?? world.now
        forgetChecks()
    }

    /// How long a client may take to come back to a hub that is there again: the longest wait
    /// between two attempts, what the hub asked for beyond its own absence, and some time to
    /// connect.
    private static let returnTime: Int64 = .seconds(7)

    private func checkReturn() {
        guard let lostAt else { return }
        self.lostAt = nil
        let time = world.now - max(lostAt, run.hub.startedAt)
        if run.plan.returnsFreely, time > Self.returnTime {
            world.violate("\(name): came back only after \(time / 1_000_000) ms")
        }
    }

    private func forgetChecks() {
        for (handle, operation) in operations {
            guard case .subscription(var subscription) = operation else { continue }
            subscription.check = nil
            operations[handle] = .subscription(subscription)
        }
    }

    // MARK: Results

    private func received(_ handle: OperationHandle, _ payload: UnsafeRawBufferPointer) {
        let response = try? JSONValue(parsing: payload.bytes)
        switch operations[handle] {
        case .subscription(var subscription):
            event(response, handle, &subscription)
            operations[handle] = .subscription(subscription)
        case .mutation(let attempt, _): complain(attempt.answered(response))
        case .question(let id, let since, _): answered(id, since, response)
        case .probe:
            if response?["data"]?["getThread"]?["id"] != nil { prove(before: handle) }
        case nil: world.violate("\(name): a result came for an operation that is over")
        }
    }

    private func event(
        _ response: JSONValue?, _ handle: OperationHandle, _ subscription: inout Subscription
    ) {
        let record = response?["data"]?[subscription.interest.field]
        guard let id = record?["id"]?.text, let token = (record?["body"] ?? record?["name"])?.text
        else {
            return world.violate("\(name): an event without a record: \(response?.jsonText ?? "")")
        }
        world.note("\(name): event \(handle.number) \(id) (\(token))")
        run.eventCount += 1
        guard var check = subscription.check else {
            return world.violate("\(name): an event came before the subscription was sent")
        }
        let isBlind = run.plan.sabotage == .hidesNotes
        let said = isBlind ? nil : response?["extensions"]?["heliograph"]
        let note = DeliveryCheck.Note(
            dropped: Int(said?["dropped"]?.integer ?? 0),
            replaced: Int(said?["replaced"]?.integer ?? 0))
        run.droppedCount += note.dropped
        run.replacedCount += note.replaced
        complain(check.delivered(id: id, token: token, noting: note, run.journal))
        subscription.check = check
    }

    private func answered(_ id: Text, _ since: UInt64, _ response: JSONValue?) {
        guard let data = response?["data"]?.object, let record = data["getMessage"] else {
            return refusedRead("the question for \(id)")
        }
        if record.isNull, response?["errors"] != nil {
            return refusedRead("the question for \(id)")
        }
        let token = record["body"]?.text
        if !run.journal.tokens(of: "Message", id, since: since).contains(token) {
            world.violate(
                "\(name): \(id) was never \(token?.string ?? "absent") between question and answer")
        }
    }

    private func refusedRead(_ what: String) {
        guard !run.plan.refusesOperations else { return }
        world.violate("\(name): \(what) was refused")
    }

    private func prove(before probe: OperationHandle) {
        for (handle, operation) in operations where handle < probe {
            guard case .subscription(var subscription) = operation else { continue }
            subscription.check?.prove(run.journal.end)
            operations[handle] = .subscription(subscription)
        }
    }

    private func failed(_ handle: OperationHandle, _ failure: OperationFailure) {
        world.note("\(name): \(handle.number) failed: \(failure)")
        if case .refused = failure, !run.plan.refusesOperations {
            world.violate("\(name): an orderly operation was refused: \(failure)")
        }
        guard let operation = operations.removeValue(forKey: handle) else {
            return world.violate("\(name): an operation ended twice")
        }
        switch operation {
        case .subscription: break
        case .mutation(let attempt, let number):
            if case .refused = failure {
                complain(attempt.answered(["errors": ["refused"]]))
            } else {
                attempt.lost()
            }
            complain(run.ends.ended(number, at: world.now))
        case .question(_, _, let number), .probe(let number):
            complain(run.ends.ended(number, at: world.now))
        }
    }

    private func completed(_ handle: OperationHandle) {
        switch operations.removeValue(forKey: handle) {
        case .subscription: world.violate("\(name): the hub completed a subscription by itself")
        case .mutation(let attempt, let number):
            if case .none = attempt.outcome {
                world.violate("\(name): \(attempt.field) completed without an answer")
            }
            complain(run.ends.ended(number, at: world.now))
        case .question(_, _, let number), .probe(let number):
            complain(run.ends.ended(number, at: world.now))
        case nil: world.violate("\(name): an operation completed twice")
        }
    }

    private func complain(_ fault: String?) {
        if let fault { world.violate("\(name): \(fault)") }
    }

    // MARK: At the end

    /// Whether even the newest event of a subscription may have been dropped, of which nothing
    /// is heard before its next one: too little is parked for one of each, or the bytes are
    /// shared with events that are never dropped.
    private var mayLoseLast: Bool {
        run.plan.losesParked
            && (subscriptionCount * 450 > run.plan.limits.parkedBytesMax
                || subscriptionHandles.contains {
                    if case .subscription(let other) = operations[$0] {
                        other.check?.policy == .latest
                    } else {
                        false
                    }
                })
    }

    /// What is wrong after a long quiet time without faults.
    var missing: String? {
        for handle in subscriptionHandles {
            guard case .subscription(let subscription) = operations[handle] else { continue }
            guard let check = subscription.check else {
                return "\(name): is not connected; its session is \(session.phase)"
            }
            if check.proven == nil { return "\(name): \(handle.number) was never proven live" }
            if check.policy == .dropOldest, mayLoseLast { continue }
            if let missing = check.missing(run.journal) {
                return "\(name): subscription \(handle.number) on link \(link?.number ?? 0): "
                    + missing
            }
        }
        return nil
    }
}
