import Bytes
import HubClient
import JSON

/// What a run over a restart has shown.
struct RestartReport: Sendable {
    var settings: BenchSettings
    var sent: PublisherLane.Sent
    var tally: ReturningLane.Tally
    var stored: StoredMessages
    /// The times in which not all were live.
    var outages: [Outage]

    init(
        settings: BenchSettings, sent: PublisherLane.Sent, tally: ReturningLane.Tally,
        stored: StoredMessages, endedAt: Int64
    ) {
        self.settings = settings
        self.sent = sent
        self.tally = tally
        self.stored = stored
        outages = Outage.all(tally.stays, vainAt: tally.vainAt, now: endedAt)
    }

    /// Whether nothing acknowledged was lost, on disk or on its way to who was there, and nothing
    /// came twice, out of order or astray.
    var isClean: Bool {
        sent.acknowledgedCount > 0 && stored.lost == 0 && stored.twice == 0 && tally.lost == 0
            && tally.duplicated == 0 && tally.outOfOrder == 0 && tally.foreign == 0
    }

    // MARK: For people

    /// The table, and the curve of each outage.
    var table: String {
        let messages: [(String, String, String)] = [
            ("messages", Figure.count(sent.count), "sent"),
            ("  acknowledged", Figure.count(sent.acknowledgedCount), ""),
            (
                "    not stored", Figure.count(stored.lost),
                "of these; \(Figure.count(stored.twice)) stored twice"
            ),
            (
                "  failed", Figure.count(sent.failed),
                "not acknowledged; "
                    + "\(Figure.count(stored.unknownStored)) of them stored"
            ),
            ("deliveries", Figure.count(tally.delivered), ""),
            (
                "  lost", Figure.count(tally.lost),
                "acknowledged to the publisher while the subscriber was there"
            ),
            (
                "  at the close", Figure.count(tally.atTheEnd),
                tally.atTheEnd == 0
                    ? ""
                    : "acknowledged at most \(Figure.time(tally.leadMax)) before the close was "
                        + "read; deliveries took up to \(Figure.time(tally.lagMax)) then"
            ),
            ("  missed", Figure.count(tally.missed), "while a subscriber was away"),
            ("  duplicated", Figure.count(tally.duplicated), ""),
            ("  out of order", Figure.count(tally.outOfOrder), ""),
            ("  astray", Figure.count(tally.foreign), ""),
        ]
        var parts = [heading]
        parts += outages.map { Self.lines(rows(of: $0)) }
        if outages.isEmpty { parts.append("nobody lost the connection") }
        parts.append(Self.lines(messages))
        parts += outages.map {
            ReturnCurve($0, of: tally.stays, vainAt: tally.vainAt, all: settings.connections)
                .picture
        }
        return parts.joined(separator: "\n")
    }

    private static func lines(_ rows: [(String, String, String)]) -> String {
        rows.map { name, number, rest in
            "\(Figure.left(name, 16))\(Figure.right(number, 12))  \(rest)".trimmedAtEnd
        }.joined(separator: "\n")
    }

    private var heading: String {
        """
        \(settings.target.endpoint): \(Figure.count(settings.connections, "subscriber")) on \
        \(Figure.count(settings.topics, "topic")), \
        \(Figure.count(settings.publishers, "publisher")), \
        \(Figure.count(settings.rate)) messages/s in all, \(settings.durationSeconds) s
        """
    }

    private func rows(of outage: Outage) -> [(String, String, String)] {
        let codes = outage.codes.sorted { $0.key < $1.key }.map { code, count in
            code == 0 ? "\(Figure.count(count)) cut off" : "\(Figure.count(count)) with \(code)"
        }
        var rows = [
            (
                "closed", Figure.count(outage.lostCount),
                "within \(Figure.time(outage.lastLossAt - outage.beganAt)): "
                    + codes.joined(separator: ", ")
            ),
            (
                "back, subscribed", Figure.count(outage.liveAgainAt.count),
                returnTimes(of: outage) + " after the first one's return"
            ),
        ]
        if let returnedAt = outage.returnedAt {
            let gap = returnedAt - outage.lastLossAt
            rows.append(("  hub away", Figure.time(max(0, gap)), "from the last close to then"))
        }
        rows += [
            ("  each away", "", Figure.times(outage.absences)),
            (
                "  connects", Figure.count(outage.liveAgainAt.count),
                "at most \(Figure.count(outage.connectsPeak * 10))/s"
            ),
            (
                "  in vain", Figure.count(outage.vainCount),
                "at most \(Figure.count(outage.vainPeak * 10))/s"
            ),
        ]
        return rows
    }

    private static let shares = [("50%", 0.5), ("90%", 0.9), ("100%", 1.0)]

    private func returnTimes(of outage: Outage) -> String {
        Self.shares.map { name, share in
            let time = outage.returnTime(of: share, all: settings.connections)
            return "\(name) \(time.map { Figure.time($0) } ?? "never")"
        }.joined(separator: ", ")
    }

    // MARK: For programs

    /// The same as one JSON object. Times are in milliseconds.
    var json: JSONValue {
        [
            "url": .string(Text(settings.target.endpoint.description)),
            "connections": .int(Int64(settings.connections)),
            "topics": .int(Int64(settings.topics)),
            "publishers": .int(Int64(settings.publishers)),
            "rate": .int(Int64(settings.rate)),
            "durationSeconds": .int(Int64(settings.durationSeconds)),
            "sent": .int(Int64(sent.count)),
            "acknowledged": .int(Int64(sent.acknowledgedCount)),
            "acknowledgedNotStored": .int(Int64(stored.lost)),
            "storedTwice": .int(Int64(stored.twice)),
            "failed": .int(Int64(sent.failed)),
            "failedButStored": .int(Int64(stored.unknownStored)),
            "delivered": .int(Int64(tally.delivered)),
            "lost": .int(Int64(tally.lost)),
            "missingAtTheClose": .int(Int64(tally.atTheEnd)),
            "missingAtTheCloseMillisecondsMax": Self.milliseconds(tally.leadMax),
            "deliveryAtTheCloseMillisecondsMax": Self.milliseconds(tally.lagMax),
            "missedWhileAway": .int(Int64(tally.missed)),
            "duplicated": .int(Int64(tally.duplicated)),
            "outOfOrder": .int(Int64(tally.outOfOrder)),
            "astray": .int(Int64(tally.foreign)),
            "outages": .array(outages.map(json(of:))),
        ]
    }

    private static func milliseconds(_ nanoseconds: Int64) -> JSONValue {
        .double(Double(nanoseconds / 1_000) / 1_000)
    }

    private func json(of outage: Outage) -> JSONValue {
        let curve = ReturnCurve(
            outage, of: tally.stays, vainAt: tally.vainAt, all: settings.connections)
        func time(_ share: Double) -> JSONValue {
            outage.returnTime(of: share, all: settings.connections).map(Self.milliseconds) ?? .null
        }
        let codes = outage.codes.sorted { $0.key < $1.key }.map {
            (Text(String($0.key)), JSONValue.int(Int64($0.value)))
        }
        return [
            "closed": .int(Int64(outage.lostCount)),
            "closedWithinMilliseconds": Self.milliseconds(outage.lastLossAt - outage.beganAt),
            "codes": .object(JSONObject(codes)),
            "back": .int(Int64(outage.liveAgainAt.count)),
            "hubAwayMilliseconds": outage.returnedAt.map {
                Self.milliseconds(max(0, $0 - outage.lastLossAt))
            } ?? .null,
            "back50PercentMilliseconds": time(0.5), "back90PercentMilliseconds": time(0.9),
            "back100PercentMilliseconds": time(1),
            "absenceMilliseconds": Figure.json(outage.absences),
            "connectsPerSecondMax": .int(Int64(outage.connectsPeak * 10)),
            "attemptsInVain": .int(Int64(outage.vainCount)),
            "attemptsInVainPerSecondMax": .int(Int64(outage.vainPeak * 10)),
            "curve": curve.json,
        ]
    }
}
