"""A WebSocket client of its own for the soak: small, and able to misbehave."""

import asyncio
import base64
import json
import os
import socket
import struct
import zlib

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
PATIENCE_SECONDS = 20
TRANSPORT, LEGACY, APPSYNC = "graphql-transport-ws", "graphql-ws", "appsync"


class Gone(Exception):
    """The hub closed the connection; `code` is the close frame's, None without one."""

    def __init__(self, code=None, reason=""):
        super().__init__(f"closed with {code}: {reason}")
        self.code, self.reason = code, reason


def masked(payload, key):
    length = len(payload)
    pad = (key * (length // 4 + 1))[:length]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(pad, "big")).to_bytes(length, "big")


def frame(opcode, payload, first_bits=0x80):
    """One masked frame; `first_bits` are FIN and the reserved bits."""
    key = os.urandom(4)
    length = len(payload)
    if length < 126:
        head = struct.pack("!BB", first_bits | opcode, 0x80 | length)
    elif length < 65536:
        head = struct.pack("!BBH", first_bits | opcode, 0x80 | 126, length)
    else:
        head = struct.pack("!BBQ", first_bits | opcode, 0x80 | 127, length)
    return head + key + masked(payload, key)


def upgrade(port, subprotocol, more=""):
    key = base64.b64encode(os.urandom(16)).decode()
    path = "/graphql"
    if subprotocol == APPSYNC:
        path, subprotocol = "/graphql/realtime?header=e30=&payload=e30=", LEGACY
    return (f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {subprotocol}\r\n{more}\r\n").encode()


async def connect(port, receive_bytes=None):
    """A TCP connection; with `receive_bytes` the kernel keeps no more than about that."""
    sock = socket.socket()
    sock.setblocking(False)
    if receive_bytes:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    try:
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
        return await asyncio.open_connection(sock=sock, limit=1 << 16)
    except BaseException:
        sock.close()
        raise


def reset(writer):
    """Ends a connection with RST, as a phone that loses its network and comes back does."""
    sock = writer.get_extra_info("socket")
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    except OSError:
        pass
    writer.transport.abort()


class Client:
    """A subscriber of one of the three dialects."""

    def __init__(self, reader, writer, dialect, is_compressed):
        self.reader, self.writer, self.dialect = reader, writer, dialect
        self.is_compressed = is_compressed

    @classmethod
    async def open(cls, port, dialect=TRANSPORT, compressed=False, receive_bytes=None, init=None):
        reader, writer = await connect(port, receive_bytes)
        more = "Sec-WebSocket-Extensions: permessage-deflate\r\n" if compressed else ""
        writer.write(upgrade(port, dialect, more))
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE_SECONDS)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.transport.abort()
            raise Gone() from None
        if not head.startswith(b"HTTP/1.1 101"):
            writer.transport.abort()
            raise Gone(None, head.split(b"\r\n")[0].decode("latin-1"))
        self = cls(reader, writer, dialect, b"permessage-deflate" in head.lower())
        self.send({"type": "connection_init", "payload": init or {}})
        await self.until("connection_ack")
        return self

    def send(self, message):
        self.writer.write(frame(TEXT, json.dumps(message).encode()))

    def subscribe(self, identifier, query, variables=None, slow=None):
        payload = {"query": query, "variables": variables or {}}
        if slow:
            payload["extensions"] = {"heliograph": {"slowConsumer": slow}}
        if self.dialect == APPSYNC:
            payload = {"data": json.dumps(payload), "extensions": payload.get("extensions", {})}
        kind = "subscribe" if self.dialect == TRANSPORT else "start"
        self.send({"id": identifier, "type": kind, "payload": payload})

    def unsubscribe(self, identifier):
        kind = "complete" if self.dialect == TRANSPORT else "stop"
        self.send({"id": identifier, "type": kind})

    async def message(self):
        """The next message, as an object. Pings are answered on the way."""
        while True:
            try:
                first, second = await self.reader.readexactly(2)
                length = second & 0x7F
                if length == 126:
                    length, = struct.unpack("!H", await self.reader.readexactly(2))
                elif length == 127:
                    length, = struct.unpack("!Q", await self.reader.readexactly(8))
                payload = await self.reader.readexactly(length)
            except (asyncio.IncompleteReadError, ConnectionError):
                raise Gone() from None
            opcode = first & 15
            if opcode == PING:
                self.writer.write(frame(PONG, payload))
            elif opcode == CLOSE:
                code = struct.unpack("!H", payload[:2])[0] if payload else None
                raise Gone(code, payload[2:].decode())
            elif opcode == TEXT:
                if first & 0x40:
                    tail = payload + b"\x00\x00\xff\xff"
                    payload = zlib.decompressobj(-15).decompress(tail)
                return json.loads(payload)

    async def until(self, kind):
        async def search():
            while True:
                message = await self.message()
                if message["type"] == kind:
                    return message
                if message["type"] in ("connection_error", "error"):
                    raise Gone(None, json.dumps(message))
        return await asyncio.wait_for(search(), PATIENCE_SECONDS)

    async def live(self, probe):
        """Returns when what was subscribed before is live: AppSync says so; elsewhere the answer
        to an operation that was sent behind it does."""
        if self.dialect == APPSYNC:
            await self.until("start_ack")
            return
        self.subscribe("probe", probe)
        while True:
            message = await asyncio.wait_for(self.message(), PATIENCE_SECONDS)
            if message.get("id") == "probe" and message["type"] == "complete":
                return

    async def leave(self):
        """The closing handshake."""
        self.writer.write(frame(CLOSE, struct.pack("!H", 1000)))
        try:
            while True:
                await asyncio.wait_for(self.message(), PATIENCE_SECONDS)
        except (Gone, TimeoutError, asyncio.TimeoutError):
            pass
        self.writer.transport.abort()


class Caller:
    """Operations over one HTTP connection that is kept."""

    def __init__(self, port):
        self.port, self.reader, self.writer = port, None, None

    async def call(self, query, variables=None):
        body = json.dumps({"query": query, "variables": variables or {}}).encode()
        text = await self.request("POST", "/graphql", body)
        answer = json.loads(text)
        if "errors" in answer:
            raise RuntimeError(f"the hub answered {answer['errors']}")
        return answer["data"]

    async def request(self, method, path, body=b""):
        if self.writer is None:
            self.reader, self.writer = await connect(self.port)
        head = (f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n")
        self.writer.write(head.encode() + body)
        return await asyncio.wait_for(self.answer(), PATIENCE_SECONDS)

    async def answer(self):
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(head.split("content-length:")[1].split("\r\n")[0])
        body = await self.reader.readexactly(length)
        if " 200 " not in head.split("\r\n")[0]:
            raise RuntimeError(f"the hub answered {head.splitlines()[0]}")
        return body.decode()

    def close(self):
        if self.writer:
            self.writer.transport.abort()
        self.writer = None
