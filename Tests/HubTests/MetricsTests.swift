import Access
import Bytes
import HTTP1
import Testing

@testable import Hub

/// `/metrics`: who may see it, and what stands there.
@Suite struct MetricsTests {
    private static let process = ProcessMeasures(
        version: "9.9", uptimeSeconds: 1.5, openDescriptors: 7, descriptorsMax: 64,
        residentBytes: 4_096)

    private func get(_ rig: Rig, headers: String = "", method: String = "GET") -> UInt64 {
        let connection = rig.open()
        rig.receive(connection, "\(method) /metrics HTTP/1.1\r\nHost: hub\r\n\(headers)\r\n")
        return connection
    }

    private func page(_ measures: Measures) -> String {
        var page = ByteQueue()
        MetricsPage.append(measures, of: Self.process, to: &page)
        return String(decoding: page.array, as: UTF8.self)
    }

    @Test func `the numbers are gathered and told to whoever asked`() throws {
        let rig = try Rig()
        let connection = get(rig)
        #expect(rig.outlet.measuring == [connection])
        #expect(rig.takeBytes(connection) == [])
        rig.shard.measured(connection, ByteQueue(Array("page\n".utf8)), at: rig.moment)
        let answer = rig.takeText(connection)
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.contains("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
        #expect(answer.hasSuffix("\r\n\r\npage\n"))
    }

    @Test func `whoever asks and leaves is not told, and nothing breaks`() throws {
        let rig = try Rig()
        let connection = get(rig)
        rig.shard.closed(connection, at: rig.moment)
        rig.shard.measured(connection, ByteQueue(), at: rig.moment)
        #expect(rig.takeBytes(connection) == [])
    }

    @Test func `the numbers are for those who may use the API`() throws {
        let rig = try Rig(policy: .apiKey(try APIKey(Text(Rig.key))))
        #expect(rig.takeText(get(rig)).hasPrefix("HTTP/1.1 401 "))
        #expect(rig.takeText(get(rig, headers: "x-api-key: wrong\r\n")).hasPrefix("HTTP/1.1 401 "))
        #expect(rig.outlet.measuring.isEmpty)
        let connection = get(rig, headers: "x-api-key: \(Rig.key)\r\n")
        #expect(rig.outlet.measuring == [connection])
        #expect(rig.shard.counters.unauthorized == 2)
    }

    @Test func `only GET and HEAD ask for the numbers`() throws {
        let rig = try Rig()
        let answer = rig.takeText(get(rig, headers: "Content-Length: 0\r\n", method: "POST"))
        #expect(answer.hasPrefix("HTTP/1.1 405 "))
        #expect(answer.contains("\r\nAllow: GET, HEAD, OPTIONS\r\n"))
    }

    @Test func `each number of a shard stands on the page under its name`() {
        let names = Set(MetricsPage.series.map(\.name))
        func snake(_ label: String) -> String {
            label.map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }.joined()
        }
        for (label, value) in Mirror(reflecting: Counters()).children {
            let suffix = value is Int ? "" : "_total"
            #expect(names.contains("heliograph_\(snake(label ?? ""))\(suffix)"), "\(label ?? "")")
        }
        #expect(MetricsPage.series.count == names.count)
    }

    @Test func `numbers of shards are added up`() throws {
        let rig = try Rig()
        _ = rig.readySocket()
        _ = rig.open()
        var sum = rig.shard.measures
        sum.add(rig.shard.measures)
        sum.bytesQueued += 5
        let page = page(sum)
        #expect(page.contains("\nheliograph_connections_open 4\n"))
        #expect(page.contains("\nheliograph_connections_opened_total 4\n"))
        #expect(page.contains("\nheliograph_bytes_queued 5\n"))
        #expect(page.contains("\nheliograph_build_info{version=\"9.9\"} 1\n"))
        #expect(page.contains("\nprocess_open_fds 7\n"))
        #expect(page.contains("\nheliograph_uptime_seconds 1.5\n"))
    }

    @Test func `an operation is running until it is answered`() throws {
        let rig = try Rig()
        let connection = rig.open()
        rig.receive(connection, Rig.request("{\"query\":\"{ listThreads { items { id } } }\"}"))
        #expect(rig.shard.measures.operationsRunning == 1)
        rig.settle()
        #expect(rig.shard.measures.operationsRunning == 0)
    }

    @Test func `each metric of the page has its help, its type and its samples`() {
        var name: Substring = ""
        for line in page(Measures()).split(separator: "\n") {
            if line.hasPrefix("# HELP ") {
                name = line.split(separator: " ")[2]
            } else if line.hasPrefix("# TYPE ") {
                #expect(line == "# TYPE \(name) \(name.hasSuffix("_total") ? "counter" : "gauge")")
            } else {
                let sample = line.split(separator: " ")
                #expect(sample.count == 2)
                #expect(sample[0].split(separator: "{")[0] == name)
                #expect(Double(sample[1]) != nil)
            }
        }
    }

    @Test func `each limit has its count`() throws {
        var measures = Measures()
        measures.limitsReached[.handshakes] = 3
        var sum = measures
        sum.add(measures)
        let page = page(sum)
        #expect(page.contains("\nheliograph_limit_reached_total{limit=\"handshakes-max\"} 6\n"))
        #expect(page.contains("\nheliograph_limit_reached_total{limit=\"open-files\"} 0\n"))
    }
}
