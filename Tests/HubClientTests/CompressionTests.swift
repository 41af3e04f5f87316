import Bytes
import HTTP1
import HubClient
import JSON
import Subprotocol
import Testing

@Suite struct CompressionTests {
    /// A bench whose servers agree to compress.
    private func bench(
        _ change: (inout ClientConfiguration) -> Void = { _ in }
    ) -> Bench {
        var bench = Bench(change)
        bench.newServer.agreesToDeflate = true
        bench.session.connect(now: 0)
        bench.run()
        bench.news = []
        return bench
    }

    private let long = String(repeating: "isolation nation ", count: 400)

    @Test func `compressed results are read like any other, however they are cut`() throws {
        var bench = bench()
        #expect(bench.session.isCompressed)
        _ = try bench.start("subscription {a}")
        let start = bench.transcript.count
        bench.server?.say(.next(id: "1", payload: json("{\"data\":\"\(long)\"}")))
        bench.server?.say(.next(id: "1", payload: json("{}")))
        bench.run()
        #expect(bench.transcript.count - start < long.utf8.count / 10)
        #expect(bench.news == ["next 1 {\"data\":\"\(long)\"}", "next 1 {}"])
        // Byte by byte.
        bench.news = []
        bench.server?.say(.next(id: "1", payload: json("{\"data\":\"\(long)\"}")))
        for byte in bench.server?.output.array ?? [] {
            var piece = [byte]
            piece.withUnsafeMutableBytes { bench.session.received($0, now: 0) }
            bench.drain()
        }
        #expect(bench.news == ["next 1 {\"data\":\"\(long)\"}"])
    }

    @Test func `long messages go out compressed and short ones as they are`() throws {
        var bench = bench()
        var empty = ByteQueue()
        Dialect.transportWS.encode(.subscribe(id: "1", OperationRequest(query: "")), into: &empty)
        let around = empty.count
        for (count, isCompressed) in [(60, false), (1_023, false), (1_024, true), (5_000, true)] {
            let before = bench.server?.compressedCount ?? 0
            let number = bench.server?.received.count ?? 0
            let query = String(repeating: "x", count: count - around)
            _ = try bench.start(Text(query))
            #expect(bench.server?.received.count == number + 1)
            #expect((bench.server?.compressedCount ?? 0) - before == (isCompressed ? 1 : 0))
            #expect(bench.subscribed.last?.hasSuffix(" " + query) == true)
        }
    }

    @Test func `what gains nothing goes as it is`() throws {
        var bench = bench { $0.compressedMessageBytesMin = 0 }
        _ = try bench.start("{a}")
        #expect(bench.server?.compressedCount == 0)
        #expect(bench.subscribed == ["1 {a}"])
    }

    @Test func `without an offer, or without agreement, nothing is compressed`() throws {
        var silent = bench { $0.offersCompression = false }
        #expect(silent.server?.request?.value(of: "Sec-WebSocket-Extensions") == nil)
        #expect(!silent.session.isCompressed)
        _ = try silent.start(Text(long))
        #expect(silent.server?.compressedCount == 0)
        var declined = Bench.ready()
        #expect(declined.server?.request?.value(of: "Sec-WebSocket-Extensions") != nil)
        #expect(!declined.session.isCompressed)
        _ = try declined.start(Text(long))
        #expect(declined.server?.compressedCount == 0)
    }

    @Test func `a new connection agrees anew`() throws {
        var bench = bench()
        _ = try bench.start("subscription {a}")
        bench.breakConnection()
        #expect(!bench.session.isCompressed)
        bench.newServer.agreesToDeflate = false
        bench.pass(seconds: 2)
        #expect(bench.session.phase == .ready && !bench.session.isCompressed)
        bench.server?.say(.next(id: "1", payload: json("{}")))
        bench.run()
        #expect(bench.news.last == "next 1 {}")
    }

    @Test func `a message that inflates beyond the limit ends the connection`() throws {
        var bench = bench { $0.messageBytesMax = 2_000 }
        _ = try bench.start("subscription {a}")
        bench.server?.say(.next(id: "1", payload: json("{\"data\":\"\(long)\"}")))
        bench.run()
        #expect(
            bench.news.last
                == "gave up: the server broke the WebSocket protocol (1009): compressed message "
                + "inflates to more than the limit of 2000 bytes")
    }
}
