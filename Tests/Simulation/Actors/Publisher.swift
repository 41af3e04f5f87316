import Bytes
import HTTP1
import JSON

/// Writes over HTTP: on one connection or many, one request after the other or several at once,
/// half-closing now and then.
final class Publisher: Peer {
    let name: String
    private let run: Run
    private var link: Link?
    private var reader = HTTPReader(role: .client, limits: HTTPLimits(bodyBytesMax: 1 << 20))
    private var body = ByteQueue()
    private var status = 0
    /// Sent and not answered, in order.
    private var open: [(attempt: Attempt, number: Int)] = []
    private var toSend: [Attempt] = []
    private var attempts: AttemptSource
    private var random: SeededRandom
    private var isOpen = false
    private var connections = 0
    private var isLast = false
    private var closesNext = false
    private(set) var answerCount = 0

    /// A publisher that acts by chance; one with a negative number only when it is told to.
    init(_ number: Int, _ run: Run) {
        name = "publisher \(number)"
        self.run = run
        random = run.world.newRandom()
        attempts = AttemptSource(actor: "p\(number)")
        if number >= 0 { scheduleAction() }
    }

    private var world: World { run.world }

    private func scheduleAction() {
        world.after(random.skewed(.milliseconds(1)...(4 * run.plan.pace))) { [self] in
            guard run.isBusy else { return }
            act()
            scheduleAction()
        }
    }

    private func act() {
        guard open.isEmpty, toSend.isEmpty, !isLast else { return }
        let count = random.chance(20) ? Int.random(in: 2...4, using: &random) : 1
        send(count, closing: random.chance(20))
    }

    /// Sends so many mutations at once, and then perhaps nothing more on this connection.
    func send(_ count: Int, closing: Bool) {
        closesNext = closing
        for _ in 0..<count { toSend.append(attempts.draw(run.journal, &random)) }
        if link == nil {
            reader = HTTPReader(role: .client, limits: HTTPLimits(bodyBytesMax: 1 << 20))
            body.removeAll()
            isOpen = false
            connections += 1
            link = run.network.connect(self)
        }
        if isOpen { sendAll() }
        let (present, mine) = (connections, toSend.isEmpty ? open.count : toSend.count)
        guard mine > 0 else { return }
        world.after(.seconds(20)) { [self] in
            guard connections == present, !open.isEmpty || !toSend.isEmpty else { return }
            giveUp("no answer in time")
        }
    }

    private func sendAll() {
        for attempt in toSend {
            var document = ByteQueue()
            document.append(
                json: [
                    "query": .string(attempt.query), "variables": .object(attempt.variables),
                ] as JSONValue)
            var bytes = ByteQueue()
            document.withBytes {
                HTTPWriter.appendRequest(
                    method: "POST", target: "/graphql", host: "hub",
                    fields: [HTTPField("Content-Type", "application/json")], body: $0, to: &bytes)
            }
            run.attempts.append(attempt)
            world.note("\(name): \(attempt.field) \(attempt.id)")
            let number = run.ends.began("\(name)'s \(attempt.field)", at: world.now)
            open.append((attempt, number))
            bytes.withBytes { link?.write($0) }
        }
        toSend = []
        if closesNext {
            isLast = true
            link?.finishSending()
        }
    }

    /// Ends what it has open; nothing more is heard of it.
    func leave() {
        if link != nil { giveUp("leaves") }
    }

    private func giveUp(_ why: String) {
        world.note("\(name): \(why)")
        link?.close()
        link = nil
        lose()
    }

    private func lose() {
        isOpen = false
        isLast = false
        toSend = []
        for (attempt, number) in open {
            attempt.lost()
            complain(run.ends.ended(number, at: world.now))
        }
        open = []
    }

    private func complain(_ fault: String?) {
        if let fault { world.violate("\(name): \(fault)") }
    }

    // MARK: The network tells

    func opened(_ link: Link) {
        isOpen = true
        sendAll()
    }

    func finished(_ link: Link) {
        if !run.plan.losesConnections, !open.isEmpty {
            world.violate("\(name): the hub ended the connection without an answer")
        }
        giveUp("the hub ended the connection")
    }

    func broken(_ link: Link) {
        guard link === self.link else { return }
        self.link = nil
        lose()
    }

    func received(_ link: Link, _ bytes: UnsafeMutableRawBufferPointer) {
        guard link === self.link else { return }
        reader.append(UnsafeRawBufferPointer(bytes))
        do throws(HTTPError) {
            while let event = try reader.next() {
                switch event {
                case .head(let head): status = head.status
                case .continueExpected: break
                case .body(let part): body.append(part)
                case .end: answered()
                }
            }
        } catch {
            world.violate("\(name): the hub's answer is no HTTP: \(error)")
        }
    }

    private func answered() {
        let response = try? JSONValue(parsing: String(decoding: body.array, as: UTF8.self))
        body.removeAll()
        guard !open.isEmpty else {
            // A connection at rest too long, or the hub at its end, is told so.
            if status != 408 && status != 503 {
                world.violate("\(name): an answer of status \(status) without a request")
            }
            return
        }
        let (attempt, number) = open.removeFirst()
        answerCount += 1
        world.note("\(name): \(status) for \(attempt.field) \(attempt.id)")
        complain(attempt.answered(response))
        complain(run.ends.ended(number, at: world.now))
        if status != 200, !run.plan.losesConnections {
            world.violate("\(name): status \(status) for an orderly request")
        }
    }
}
