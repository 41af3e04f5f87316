public import Bytes

/// The page at `/metrics`, in Prometheus' text format 0.0.4. All names begin with `heliograph_`
/// but those that Prometheus gives every process.
public enum MetricsPage {
    /// One line of the page that is a sum over the shards.
    struct Series: Sendable {
        /// Where the number stands.
        enum Place: Sendable {
            case counter(any WritableKeyPath<Measures, UInt64> & Sendable)
            case gauge(any WritableKeyPath<Measures, Int> & Sendable)
        }

        let name: String
        let place: Place
        let help: String

        /// A number that only grows.
        init(
            _ name: String, counter: any WritableKeyPath<Measures, UInt64> & Sendable,
            _ help: String
        ) {
            self.name = name
            place = .counter(counter)
            self.help = help
        }

        /// A number that goes up and down.
        init(
            _ name: String, gauge: any WritableKeyPath<Measures, Int> & Sendable, _ help: String
        ) {
            self.name = name
            place = .gauge(gauge)
            self.help = help
        }

        var isGauge: Bool { if case .gauge = place { true } else { false } }

        func add(_ other: Measures, to sum: inout Measures) {
            switch place {
            case .counter(let path): sum[keyPath: path] += other[keyPath: path]
            case .gauge(let path): sum[keyPath: path] += other[keyPath: path]
            }
        }

        func value(in measures: Measures) -> String {
            switch place {
            case .counter(let path): "\(measures[keyPath: path])"
            case .gauge(let path): "\(measures[keyPath: path])"
            }
        }
    }

    /// All sums, in the order of the page.
    static let series: [Series] = [
        Series(
            "heliograph_connections_open", gauge: \.counters.connectionsOpen,
            "Connections that are open."),
        Series(
            "heliograph_subscriptions_live", gauge: \.counters.subscriptionsLive,
            "Subscriptions that get events."),
        Series(
            "heliograph_operations_running", gauge: \.operationsRunning,
            "Queries and mutations being executed."),
        Series(
            "heliograph_bytes_queued", gauge: \.bytesQueued,
            "Bytes waiting for peers that read too slowly."),
        Series(
            "heliograph_parked_bytes", gauge: \.counters.parkedBytes,
            "Bytes of events parked for slow subscribers; part of the bytes queued."),
        Series(
            "heliograph_connections_opened_total", counter: \.counters.connectionsOpened,
            "Connections accepted."),
        Series(
            "heliograph_requests_total", counter: \.counters.requests, "Requests over HTTP."),
        Series(
            "heliograph_operations_total", counter: \.counters.operations,
            "Operations started, subscriptions included."),
        Series(
            "heliograph_documents_found_total", counter: \.counters.documentsFound,
            "Requests that named their document by id or hash, and it was there."),
        Series(
            "heliograph_documents_missed_total", counter: \.counters.documentsMissed,
            "Requests that named their document by id or hash, and it was not there."),
        Series(
            "heliograph_documents_remembered_total", counter: \.counters.documentsRemembered,
            "Documents remembered under their hashes, each shard counted."),
        Series(
            "heliograph_documents_refused_total", counter: \.counters.documentsRefused,
            "Documents refused because only trusted ones are run."),
        Series(
            "heliograph_changes_total", counter: \.counters.changes,
            "Committed changes told to shards, each shard counted."),
        Series(
            "heliograph_events_total", counter: \.counters.events,
            "Events executed, once a group of equal subscriptions and shard."),
        Series(
            "heliograph_deliveries_total", counter: \.counters.deliveries,
            "Events sent to subscribers."),
        Series(
            "heliograph_compressions_total", counter: \.counters.compressions,
            "Payloads compressed."),
        Series(
            "heliograph_unauthorized_total", counter: \.counters.unauthorized,
            "Requests and operations without valid credentials."),
        Series(
            "heliograph_origins_refused_total", counter: \.counters.originsRefused,
            "Sockets and preflights refused to web pages of other origins."),
        Series(
            "heliograph_misdirected_total", counter: \.counters.misdirected,
            "Requests refused because they were for another name."),
        Series(
            "heliograph_slow_consumers_total", counter: \.counters.slowConsumers,
            "Connections closed because they read too slowly."),
        Series(
            "heliograph_events_dropped_total", counter: \.counters.eventsDropped,
            "Events dropped because their subscriber reads too slowly and wants it so."),
        Series(
            "heliograph_events_replaced_total", counter: \.counters.eventsReplaced,
            "Events replaced by newer ones before a slow subscriber had read them."),
        Series(
            "heliograph_protocol_errors_total", counter: \.counters.protocolErrors,
            "Rules of a protocol that peers broke."),
        Series(
            "heliograph_timeouts_total", counter: \.counters.timeouts,
            "Connections ended because nothing came in time."),
        Series(
            "heliograph_groups_overrun_total", counter: \.counters.groupsOverrun,
            "Groups of subscriptions closed because events waited beyond the limit."),
        Series(
            "heliograph_bytes_received_total", counter: \.bytesReceived,
            "Bytes read from sockets."),
        Series("heliograph_bytes_sent_total", counter: \.bytesSent, "Bytes taken by sockets."),
        Series(
            "heliograph_tls_handshakes_total", counter: \.handshakes,
            "TLS handshakes that succeeded."),
        Series(
            "heliograph_tls_handshakes_failed_total", counter: \.handshakesFailed,
            "TLS handshakes that failed or took too long."),
        Series(
            "heliograph_accept_pauses_total", counter: \.acceptPauses,
            "Pauses of accepting for want of file descriptors."),
    ]

    static let limitSeries: String = "heliograph_limit_reached_total"

    /// Writes the page.
    public static func append(
        _ measures: Measures, of process: ProcessMeasures, to page: inout ByteQueue
    ) {
        for series in series {
            append(
                series.name, isGauge: series.isGauge, series.help,
                series.value(in: measures), to: &page)
        }
        appendLimits(measures.limitsReached, to: &page)
        append(
            "heliograph_uptime_seconds", isGauge: true, "Seconds since the start.",
            "\(process.uptimeSeconds)", to: &page)
        append(
            "heliograph_build_info", isGauge: true, "The version, and always 1.",
            "1", labels: "{version=\"\(process.version)\"}", to: &page)
        for (name, help, value) in [
            ("process_open_fds", "File descriptors in use.", process.openDescriptors),
            ("process_max_fds", "File descriptors allowed.", process.descriptorsMax),
            ("process_resident_memory_bytes", "Memory in use.", process.residentBytes),
        ] {
            guard let value else { continue }
            append(name, isGauge: true, help, "\(value)", to: &page)
        }
    }

    /// All limits, so that a rate is there from the first time on.
    private static func appendLimits(_ counts: LimitCounts, to page: inout ByteQueue) {
        let name = limitSeries
        page.append(utf8: "# HELP \(name) Times that a limit was reached.\n")
        page.append(utf8: "# TYPE \(name) counter\n")
        for limit in ReachedLimit.allCases {
            page.append(utf8: "\(name){limit=\"\(limit.rawValue)\"} \(counts[limit])\n")
        }
    }

    private static func append(
        _ name: String, isGauge: Bool, _ help: String, _ value: String, labels: String = "",
        to page: inout ByteQueue
    ) {
        page.append(
            utf8: "# HELP \(name) \(help)\n# TYPE \(name) \(isGauge ? "gauge" : "counter")\n"
                + "\(name)\(labels) \(value)\n")
    }
}
