"""Who visits the hub during the soak. Each is a coroutine that goes on until it is told to end."""

import asyncio
import os
import random
import struct
import time

import wire
from wire import APPSYNC, Caller, Client, Gone, LEGACY, TRANSPORT, frame

SUBSCRIPTION = ("subscription S($topic: String!) { onCreateNote(filter: {topic: {eq: $topic}}) "
                "{ id topic number body } }")
EVERYTHING = "subscription { onCreateNote { id topic number body } }"
PROBE = "{ listNotes(limit: 1) { items { id } } }"
CREATE = ("mutation C($topic: String!, $number: Int!, $body: String) { createNote(input: "
          "{topic: $topic, number: $number, body: $body}) { id topic number body } }")
DELETE = "mutation D($id: ID!) { deleteNote(input: {id: $id}) { id } }"
DIALECTS = (TRANSPORT, LEGACY, APPSYNC)
# What a stalled reader may come to see: the closed socket, or the codes of a slow consumer.
SLOW_CODES = (None, 1013, 1008)


class World:
    """What the visitors share: where the hub is, when they end, and what they saw."""

    def __init__(self, port, seed):
        self.port, self.random = port, random.Random(seed)
        self.is_over = False
        self.done = {}       # visits by kind
        self.findings = []   # sentences: each is a fault of the hub
        self.latencies = []  # milliseconds of the watch's queries

    def count(self, kind):
        self.done[kind] = self.done.get(kind, 0) + 1

    def find(self, sentence):
        if len(self.findings) < 100:
            self.findings.append(sentence)


def words(source, count):
    """Text that compresses about as well as prose."""
    return " ".join(source.choice(("street", "garden", "noise", "party", "lost", "cat", "evening",
                                   "neighbour", "%06x" % source.getrandbits(24)))
                    for _ in range(count))


async def publisher(world, topic, per_second, word_count):
    """Creates notes with rising numbers, and deletes those of a while ago: the store stays as
    large as it is."""
    caller, kept, number = Caller(world.port), [], 0
    while not world.is_over:
        number += 1
        body = words(world.random, word_count)
        variables = {"topic": topic, "number": number, "body": body}
        try:
            created = await caller.call(CREATE, variables)
            kept.append(created["createNote"]["id"])
            if len(kept) > 50:
                await caller.call(DELETE, {"id": kept.pop(0)})
        except Exception as fault:
            world.find(f"publisher of {topic}: {fault!r}")
            caller.close()
            return
        world.count("mutations")
        await asyncio.sleep(1 / per_second)
    for identifier in kept:
        await caller.call(DELETE, {"id": identifier})
    caller.close()


async def fill(port, megabytes):
    """Writes so much into the database, and deletes it: its pages then stay in memory."""
    caller = Caller(port)
    for number in range(megabytes * 2):
        variables = {"topic": "fill", "number": number, "body": "x" * 500_000}
        created = await caller.call(CREATE, variables)
        await caller.call(DELETE, {"id": created["createNote"]["id"]})
    caller.close()


async def witness(world, topic, dialect, compressed, ready):
    """Stays, and checks that every note of its topic comes, once and in order."""
    client = await Client.open(world.port, dialect, compressed)
    client.subscribe("w", SUBSCRIPTION, {"topic": topic})
    await client.live(PROBE)
    ready.release()
    last = 0
    try:
        while not world.is_over:
            message = await client.message()
            if message["type"] not in ("next", "data") or message["id"] != "w":
                continue
            number = message["payload"]["data"]["onCreateNote"]["number"]
            if number != last + 1:
                world.find(f"witness of {topic} over {dialect}: {number} came after {last}")
            last = number
            world.count("events witnessed")
    except Gone as gone:
        if not world.is_over:
            world.find(f"witness of {topic} over {dialect}: {gone}")
    except asyncio.CancelledError:
        pass
    client.writer.transport.abort()


async def churner(world):
    """Comes, subscribes, sees a little and leaves, in good order or not."""
    draw = world.random
    while not world.is_over:
        dialect = draw.choice(DIALECTS)
        leaving = draw.choice(("handshake", "fin", "reset", "torn", "unsubscribed"))
        try:
            client = await Client.open(world.port, dialect, draw.random() < 0.3)
            count = draw.randint(1, 4)
            for number in range(count):
                topic = f"topic-{draw.randint(0, 9)}"
                client.subscribe(f"s{number}", SUBSCRIPTION, {"topic": topic})
            if draw.random() < 0.7:
                await client.live(PROBE)
            try:
                await asyncio.wait_for(client.message(), draw.random() * 0.3)
            except (TimeoutError, asyncio.TimeoutError):
                pass
            if leaving == "unsubscribed":
                for number in range(count):
                    client.unsubscribe(f"s{number}")
            if leaving in ("handshake", "unsubscribed"):
                await client.leave()
            elif leaving == "fin":
                client.writer.close()
            else:
                if leaving == "torn":
                    client.writer.write(frame(wire.TEXT, b"x" * 1000)[:500])
                    await asyncio.sleep(0.01)
                wire.reset(client.writer)
            world.count("churn")
        except (Gone, OSError, asyncio.TimeoutError, TimeoutError) as fault:
            world.find(f"a well-behaved client over {dialect} was turned away: {fault!r}")
            await asyncio.sleep(0.5)


async def staller(world):
    """Subscribes to everything, with a small window, and stops reading for a while."""
    draw = world.random
    while not world.is_over:
        policy = draw.choice(world.slow_policies)
        dialect = draw.choice((TRANSPORT, LEGACY)) if policy else draw.choice(DIALECTS)
        try:
            client = await Client.open(
                world.port, dialect, draw.random() < 0.3, receive_bytes=4096)
            client.subscribe("all", EVERYTHING, slow=policy)
            # Nothing more is taken from the socket.
            client.writer.transport.pause_reading()
            for _ in range(draw.randint(10, 200)):
                if world.is_over:
                    break
                await asyncio.sleep(0.1)
            if draw.random() < 0.5:
                wire.reset(client.writer)
            else:
                client.writer.transport.resume_reading()
                try:
                    for _ in range(20_000):
                        await asyncio.wait_for(client.message(), 2)
                except Gone as gone:
                    if gone.code not in SLOW_CODES:
                        world.find(f"a stalled reader was closed with {gone}")
                except (TimeoutError, asyncio.TimeoutError):
                    pass
                client.writer.transport.abort()
            world.count("stalls")
        except (Gone, OSError, asyncio.TimeoutError, TimeoutError) as fault:
            world.find(f"a client that stalls later was turned away: {fault!r}")
            await asyncio.sleep(0.5)


def malformed(draw, port):
    """Bytes that no client should send, and what they are."""
    opened = wire.upgrade(port, draw.choice((TRANSPORT, LEGACY, APPSYNC)))
    init = frame(wire.TEXT, b'{"type":"connection_init"}')
    noise = os.urandom(draw.randint(1, 4000))
    deep = b"[" * 20_000
    query = b'{"query":"' + b"{a" * 5_000 + b'"}'
    post = b"POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    return draw.choice((
        ("noise", noise),
        ("noise behind the upgrade", opened + noise),
        ("noise in frames", opened + init + frame(wire.TEXT, noise)),
        ("a length with its top bit set", opened + struct.pack("!BBQ", 0x82, 0xFF, 1 << 63)),
        ("a length beyond the limit", opened + struct.pack("!BBQ", 0x82, 0xFF, 1 << 40)),
        ("unmasked frame", opened + b"\x81\x02{}"),
        ("reserved bits", opened + frame(wire.TEXT, b"{}", 0xF0)),
        ("reserved opcode", opened + frame(draw.choice((3, 7, 11, 15)), b"")),
        ("long ping", opened + struct.pack("!BBH", 0x89, 0xFE, 126)),
        ("broken UTF-8", opened + frame(wire.TEXT, b"\xff\xfe")),
        ("deep JSON", opened + frame(wire.TEXT, deep)),
        ("no connection_init", opened + frame(wire.TEXT, b'{"type":"subscribe","id":"1"}')),
        ("a second connection_init", opened + init + init),
        ("unknown type", opened + init + frame(wire.TEXT, b'{"type":"surprise"}')),
        ("only fragments", opened + init + frame(wire.TEXT, b"{", 0) * 50),
        ("no request line", b"\r\n\r\n\r\n\r\n"),
        ("two lengths", post + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}{"),
        ("length and chunks", post + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0"),
        ("a broken chunk", post + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n"),
        ("a folded field", post + b"X: a\r\n b\r\nContent-Length: 2\r\n\r\n{}"),
        ("a long head", b"GET / HTTP/1.1\r\n" + b"X: " + b"a" * 40_000 + b"\r\n\r\n"),
        ("many fields", b"GET / HTTP/1.1\r\nHost: a\r\n" + b"A: b\r\n" * 500 + b"\r\n"),
        ("a deep query", post + b"Content-Length: %d\r\n\r\n" % len(query) + query),
        ("half a body", post + b"Content-Length: 1000\r\n\r\n{"),
        ("half a head", b"GET /graphql HTT"),
        ("nothing", b""),
    ))


async def vandal(world):
    """Sends what is against the rules, in pieces, and sees what comes."""
    draw = world.random
    while not world.is_over:
        kind, data = malformed(draw, world.port)
        try:
            reader, writer = await wire.connect(world.port)
        except OSError as fault:
            world.find(f"a connection was refused: {fault!r}")
            await asyncio.sleep(0.5)
            continue
        try:
            if len(data) > 1 and draw.random() < 0.5:
                cut = draw.randint(1, len(data) - 1)
                writer.write(data[:cut])
                await asyncio.sleep(0.02)
                data = data[cut:]
            writer.write(data)
            for _ in range(50):
                if not await asyncio.wait_for(reader.read(65536), 0.3):
                    break
        except (OSError, TimeoutError, asyncio.TimeoutError):
            pass
        if draw.random() < 0.5:
            wire.reset(writer)
        else:
            writer.transport.abort()
        world.count("malformed")


async def dawdler(world):
    """One byte of a request a second, until the hub has enough of it."""
    while not world.is_over:
        try:
            reader, writer = await wire.connect(world.port)
            for byte in b"POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{":
                writer.write(bytes([byte]))
                try:
                    await asyncio.wait_for(reader.read(1024), 1)
                    break
                except (TimeoutError, asyncio.TimeoutError):
                    if world.is_over:
                        break
            writer.transport.abort()
            world.count("slow heads")
        except OSError as fault:
            world.find(f"a connection was refused: {fault!r}")
            await asyncio.sleep(0.5)


async def watch(world):
    """Asks the hub something all the time, and notes how long that takes."""
    caller = Caller(world.port)
    while not world.is_over:
        start = time.monotonic()
        try:
            await caller.call(PROBE)
        except Exception as fault:
            world.find(f"a query was not answered: {fault!r}")
            caller.close()
            await asyncio.sleep(0.5)
        world.latencies.append((time.monotonic() - start) * 1000)
        await asyncio.sleep(0.1)
    caller.close()
