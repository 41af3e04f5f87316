import Bytes
import Testing

@testable import Loop

@Suite struct HandleTests {
    @Test func `a handle kept too long names nothing`() throws {
        let loop = try TestLoop(.echo)
        let first = loop.peer()
        let old = try #require(loop.log.firstConnection())
        first.reset()
        #expect(loop.log.reason(old) != nil)
        let second = loop.peer()
        let new = loop.log.connections(2)[1]
        #expect(UInt32(truncatingIfNeeded: new) == UInt32(truncatingIfNeeded: old))
        #expect(new != old)
        loop.poster.post { handler in
            handler.loop.write(old, ByteQueue("for nobody".utf8))
            handler.loop.pauseReading(old)
            handler.loop.close(old, .atOnce)
            handler.loop.write(new, ByteQueue("for you".utf8))
        }
        #expect(second.receiveText(7) == "for you")
        #expect(loop.ask { $0.backlogBytes(old) } == 0)
    }

    @Test func `events of one batch do not reach a connection closed earlier in it`() throws {
        // Whoever is heard first closes all others, whose events wait in the same batch.
        let loop = try TestLoop(
            .init(
                received: { loop, connection, _ in
                    for index in UInt64(0)..<20 where (1 << 32 | index) != connection {
                        loop.close(1 << 32 | index, .atOnce)
                    }
                },
                woke: { loop in
                    // Keeps the loop busy until all peers have sent, so that they share a batch.
                    while loop.connectionCount == 20, !allHaveSent.load() {}
                }))
        allHaveSent.store(false)
        let peers = (0..<20).map { _ in loop.peer() }
        #expect(loop.log.connections(20).count == 20)
        _ = loop.ask { $0.wake(at: 0) }
        for peer in peers { peer.send("me first") }
        allHaveSent.store(true)
        #expect(
            loop.log.wait { events in
                events.filter { if case .closed = $0 { true } else { false } }.count == 19
            })
        let heard = loop.log.all.filter { if case .received = $0 { true } else { false } }
        #expect(heard.count == 1)
    }

    @Test func `a slot is used again with another generation, last freed first`() {
        var slab = ConnectionSlab()
        let handles = (0..<200).map { slab.add(Int32($0), .open) }
        let descriptors = handles.map { slab.find($0)?.pointee.descriptor }
        #expect(descriptors == (0..<200).map { Int32($0) })
        for handle in [handles[3], handles[150]] {
            if let entry = slab.find(handle) { slab.remove(entry) }
            let found = slab.find(handle)
            #expect(found == nil)
        }
        let again = slab.add(900, .open)
        #expect(again & 0xffff_ffff == handles[150] & 0xffff_ffff)
        #expect(again != handles[150])
        let found = [handles[150], again, 0, .max].map { slab.find($0)?.pointee.descriptor }
        #expect(found == [nil, 900, nil, nil])
        let count = slab.count
        #expect(count == 199)
    }

    @Test func `an idle connection costs its slot and nothing else`() {
        #expect(MemoryLayout<Connection>.stride <= 64)
    }
}

private let allHaveSent = Flag()
