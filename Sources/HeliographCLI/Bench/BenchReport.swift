import Bytes
import HubClient
import JSON

/// What a run has shown.
struct BenchReport: Sendable {
    var settings: BenchSettings
    /// From the first connection's beginning to the last one's acknowledgement.
    var connectSeconds: Double
    var sent: PublisherLane.Sent
    var tally: SubscriberLane.Tally
    /// What became of the subscribers that stopped reading; nil if there were none.
    var stalled: StalledLane.Tally?
    /// The hub's memory; nil if it was not asked for.
    var hubMemory: ProcessMemory.Marks?
    /// Cores that the bench itself kept busy while it sent and received.
    var processorShare: Double

    /// Whether everything acknowledged came everywhere once, in order, and nowhere else.
    var isClean: Bool {
        sent.acknowledgedCount > 0 && tally.lost == 0 && tally.duplicated == 0
            && tally.outOfOrder == 0 && tally.astray == 0 && stalled?.unaccounted ?? 0 == 0
    }

    private var expected: Int { settings.deliveries(of: sent) }

    private var messagesPerSecond: Double {
        Double(sent.count) / max(1e-9, seconds(sent.lastSentAt - sent.firstSentAt))
    }

    private var deliveriesPerSecond: Double {
        Double(tally.delivered) / max(1e-9, seconds(tally.lastDeliveryAt - sent.firstSentAt))
    }

    private var connectionsPerSecond: Double {
        Double(settings.connections) / max(1e-9, connectSeconds)
    }

    private func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }

    // MARK: For people

    /// The table.
    var table: String {
        var rows: [(String, String, String)] = [
            (
                "connections", Figure.count(settings.connections),
                "\(Figure.rate(connectionsPerSecond))/s, each in \(Figure.times(tally.connectTime))"
            ),
            ("messages", Figure.count(sent.count), "\(Figure.rate(messagesPerSecond))/s"),
            (
                "  acknowledged", Figure.count(sent.acknowledgedCount),
                "after \(Figure.times(sent.acknowledgement))"
            ),
            ("  failed", Figure.count(sent.failed), sent.firstError ?? ""),
        ]
        if settings.compresses {
            rows.insert(("  compressed", Figure.count(tally.compressed), ""), at: 1)
        }
        if settings.rate > 0 {
            rows.append(("  sender late by", "", Figure.times(sent.lag)))
        }
        rows += [
            (
                "deliveries", Figure.count(tally.delivered),
                "\(Figure.rate(deliveriesPerSecond))/s of \(Figure.count(expected)) expected"
            ),
            ("  latency", "", Figure.times(tally.latency)),
            ("  lost", Figure.count(tally.lost), ""),
            ("  duplicated", Figure.count(tally.duplicated), ""),
            ("  out of order", Figure.count(tally.outOfOrder), ""),
            ("  astray", Figure.count(tally.astray), ""),
            ("disconnects", Figure.count(tally.disconnects + sent.disconnects), ""),
        ]
        rows += stalledRows
        if let hubMemory {
            rows.append(
                (
                    "hub's memory", "\(Figure.megabytes(hubMemory.most)) MB",
                    "at most; \(Figure.megabytes(hubMemory.before)) before, "
                        + "\(Figure.megabytes(hubMemory.after)) after"
                ))
        }
        rows += [
            ("bench itself", "", "\(Figure.fraction(processorShare)) cores")
        ]
        let lines = rows.map { name, number, rest in
            let line = "\(Figure.left(name, 16))\(Figure.right(number, 12))  \(rest)"
            return line.trimmedAtEnd
        }
        return ([heading] + lines).joined(separator: "\n")
    }

    private var stalledRows: [(String, String, String)] {
        guard let stalled else { return [] }
        var ends = ["\(Figure.count(stalled.connected)) connected at the end"]
        for (code, count) in stalled.closed.sorted(by: { $0.key < $1.key }) {
            ends.append("\(Figure.count(count)) closed with \(code)")
        }
        if stalled.cutOff > 0 { ends.append("\(Figure.count(stalled.cutOff)) cut off") }
        var rows = [
            ("stalled", Figure.count(settings.stalled), ends.joined(separator: ", ")),
            (
                "  received", Figure.count(stalled.received),
                "\(Figure.count(stalled.dropped)) told dropped, "
                    + "\(Figure.count(stalled.replaced)) told replaced"
            ),
            ("  unaccounted", Figure.count(stalled.unaccounted), ""),
        ]
        if let reason = stalled.firstReason { rows.append(("  first reason", "", reason)) }
        return rows
    }

    private var heading: String {
        let rate =
            settings.rate == 0
            ? "as fast as acknowledged (\(settings.window) under way each)"
            : "\(Figure.count(settings.rate)) messages/s in all"
        return """
            \(settings.target.endpoint): \(Figure.count(settings.connections, "subscriber")) on \
            \(Figure.count(settings.topics, "topic")), \
            \(Figure.count(settings.publishers, "publisher")), \(rate), \
            \(settings.durationSeconds) s, bodies of \(Figure.count(settings.payloadBytes, "byte"))
            """
    }

    // MARK: For programs

    private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    /// The same as one JSON object. Times are in milliseconds.
    var json: JSONValue {
        [
            "url": .string(Text(settings.target.endpoint.description)),
            "connections": .int(Int64(settings.connections)),
            "topics": .int(Int64(settings.topics)),
            "publishers": .int(Int64(settings.publishers)),
            "rate": .int(Int64(settings.rate)),
            "durationSeconds": .int(Int64(settings.durationSeconds)),
            "payloadBytes": .int(Int64(settings.payloadBytes)),
            "connectionsPerSecond": .double(rounded(connectionsPerSecond)),
            "connectMilliseconds": Figure.json(tally.connectTime),
            "compressedConnections": .int(Int64(tally.compressed)),
            "sent": .int(Int64(sent.count)),
            "sentPerSecond": .double(rounded(messagesPerSecond)),
            "acknowledged": .int(Int64(sent.acknowledgedCount)),
            "acknowledgedMilliseconds": Figure.json(sent.acknowledgement),
            "failed": .int(Int64(sent.failed)),
            "firstError": sent.firstError.map { .string(Text($0)) } ?? .null,
            "senderLateMilliseconds": settings.rate > 0 ? Figure.json(sent.lag) : .null,
            "expected": .int(Int64(expected)),
            "delivered": .int(Int64(tally.delivered)),
            "deliveriesPerSecond": .double(rounded(deliveriesPerSecond)),
            "latencyMilliseconds": Figure.json(tally.latency),
            "lost": .int(Int64(tally.lost)),
            "duplicated": .int(Int64(tally.duplicated)),
            "outOfOrder": .int(Int64(tally.outOfOrder)),
            "astray": .int(Int64(tally.astray)),
            "disconnects": .int(Int64(tally.disconnects + sent.disconnects)),
            "stalled": stalledJSON,
            "hubMegabytes": hubMemory.map {
                [
                    "before": .double(rounded(Double($0.before) / 1e6)),
                    "most": .double(rounded(Double($0.most) / 1e6)),
                    "after": .double(rounded(Double($0.after) / 1e6)),
                ]
            } ?? .null,
            "benchCores": .double(rounded(processorShare)),
        ]
    }

    private var stalledJSON: JSONValue {
        guard let stalled else { return .null }
        let closed = stalled.closed.sorted { $0.key < $1.key }.map {
            (Text(String($0.key)), JSONValue.int(Int64($0.value)))
        }
        return [
            "count": .int(Int64(settings.stalled)),
            "connected": .int(Int64(stalled.connected)),
            "closed": .object(JSONObject(closed)),
            "firstReason": stalled.firstReason.map { .string(Text($0)) } ?? .null,
            "cutOff": .int(Int64(stalled.cutOff)),
            "received": .int(Int64(stalled.received)),
            "dropped": .int(Int64(stalled.dropped)),
            "replaced": .int(Int64(stalled.replaced)),
            "unaccounted": .int(Int64(stalled.unaccounted)),
        ]
    }
}
