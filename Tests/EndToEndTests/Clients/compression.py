"""Sockets of the websockets library with and without permessage-deflate, of all windows.

    compression.py PORT API_KEY

One client publishes long messages in every way; every client must receive each of them once, in
order, unchanged, compressed if and only if that was agreed on. Then a client whose message inflates
beyond the limit must be closed with 1009, alone. Prints one line and exits with 0 if all is right.
"""
import asyncio
import json
import sys

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory as Deflate

PORT, KEY = sys.argv[1:3]
SUBSCRIPTION = "subscription { onCreateMessage { id body } }"
MUTATION = "mutation($i: CreateMessageInput!) { createMessage(input: $i) { id body } }"

OFFERS = {
    "library default": {},
    "no compression": {"compression": None},
    "no context": {"extensions": [Deflate(True, True)]},
    "small windows": {"extensions": [Deflate(server_max_window_bits=9, client_max_window_bits=9)]},
    "other windows": {"extensions": [Deflate(server_max_window_bits=12, client_max_window_bits=11)]},
    "window of 8 bits": {"extensions": [Deflate(server_max_window_bits=8)], "compression": None},
}
DECLINED = {"no compression", "window of 8 bits"}


class Socket:
    def __init__(self, name, connection):
        self.name, self.connection, self.compressed, self.events = name, connection, 0, []
        for extension in connection.protocol.extensions:
            decode = extension.decode

            def counting(frame, *, max_size=None, decode=decode):
                self.compressed += frame.rsv1
                return decode(frame, max_size=max_size)

            extension.decode = counting

    async def say(self, pieces=None, **message):
        text = json.dumps(message, ensure_ascii=False)
        if pieces:
            await self.connection.send([text[i:i + pieces] for i in range(0, len(text), pieces)])
        else:
            await self.connection.send(text)

    async def hear(self, kind):
        while True:
            message = json.loads(await asyncio.wait_for(self.connection.recv(), 20))
            if message["type"] == kind:
                return message
            if message["type"] != "next":
                raise SystemExit(f"{self.name}: {message} instead of {kind}")
            self.events.append(message)


async def opened(name):
    connection = await connect(
        f"ws://127.0.0.1:{PORT}/graphql", subprotocols=["graphql-transport-ws"], **OFFERS[name])
    agreed = [extension.name for extension in connection.protocol.extensions]
    if agreed != ([] if name in DECLINED else ["permessage-deflate"]):
        raise SystemExit(f"{name}: agreed on {agreed}")
    socket = Socket(name, connection)
    await socket.say(type="connection_init", payload={"x-api-key": KEY})
    await socket.hear("connection_ack")
    return socket


def body(number):
    words = " ".join(f"{number * 7919 % (n + 3)} neighbours ☃ é" for n in range(60 + number * 40))
    return words if number % 2 else words * 8


async def main():
    sockets = [await opened(name) for name in OFFERS]
    for number, socket in enumerate(sockets):
        await socket.say(id="s" * (number * 20 + 1), type="subscribe", payload={"query": SUBSCRIPTION})
        await socket.say(type="ping")
        await socket.hear("pong")

    await sockets[0].say(
        id="user", type="subscribe", payload={
            "query": "mutation { createUser(input: {id: \"u\", username: \"ada\"}) { id } }"})
    await sockets[0].hear("complete")
    want = []
    for number, socket in enumerate(sockets * 2):
        variables = {"i": {"id": f"m{number}", "body": body(number), "messageAuthorId": "u"}}
        await socket.say(
            pieces=100 if number % 3 == 1 else None, id=f"q{number}", type="subscribe",
            payload={"query": MUTATION, "variables": variables})
        await socket.hear("complete")
        want.append({"id": f"m{number}", "body": body(number)})

    for number, socket in enumerate(sockets):
        await socket.say(type="ping")
        await socket.hear("pong")
        mine = [m["payload"]["data"] for m in socket.events if m["id"] == "s" * (number * 20 + 1)]
        if [event.get("onCreateMessage") for event in mine] != want:
            raise SystemExit(f"{socket.name}: other events than were published: {len(mine)}")
        answers = [m["payload"]["data"] for m in socket.events if m["id"].startswith("q")]
        if [a["createMessage"] for a in answers] != [want[number], want[number + len(sockets)]]:
            raise SystemExit(f"{socket.name}: other answers than were asked for")
        expected = 0 if socket.name in DECLINED else len(want) + 2
        if socket.compressed != expected:
            raise SystemExit(f"{socket.name}: {socket.compressed} compressed, not {expected}")

    bomb = await opened("library default")
    await bomb.connection.send("0" * 30_000_000)
    try:
        await asyncio.wait_for(bomb.connection.recv(), 20)
        raise SystemExit("a message of 30 MB was answered")
    except ConnectionClosed as closed:
        if closed.rcvd is None or closed.rcvd.code != 1009:
            raise SystemExit(f"a message of 30 MB was answered by {closed.rcvd}")
    for socket in sockets:
        await socket.say(type="ping")
        await socket.hear("pong")
        await socket.connection.close()
    print(f"{len(sockets)} sockets received {len(want)} messages each")


asyncio.run(main())
