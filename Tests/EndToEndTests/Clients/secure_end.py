"""Clients over TLS of a hub that is full, and that stops.

    secure_end.py PORT PROCESS_ID CA CONNECTIONS_MAX

Fills the hub with subscribers, tries one more, and then asks the hub to stop. Prints what the one
too many got and how each subscriber was closed, a line each.
"""
import asyncio
import json
import os
import signal
import ssl
import sys

import websockets

PORT, PROCESS, CA, COUNT = sys.argv[1:5]
SUBSCRIPTION = "subscription { onCreateUser { id } }"


async def subscriber():
    socket = await websockets.connect(
        f"wss://127.0.0.1:{PORT}/graphql", ssl=ssl.create_default_context(cafile=CA),
        subprotocols=["graphql-transport-ws"], open_timeout=10)
    for message in (
            {"type": "connection_init"},
            {"id": "1", "type": "subscribe", "payload": {"query": SUBSCRIPTION}},
            {"type": "ping"}):
        await socket.send(json.dumps(message))
    while json.loads(await asyncio.wait_for(socket.recv(), 10))["type"] != "pong":
        pass
    return socket


async def end_of(socket):
    try:
        while True:
            await asyncio.wait_for(socket.recv(), 20)
    except websockets.ConnectionClosed as end:
        return f"closed {end.rcvd.code if end.rcvd else None} {end.rcvd.reason if end.rcvd else ''}"


async def main():
    sockets = [await subscriber() for _ in range(int(COUNT))]
    try:
        await subscriber()
        print("one too many is served")
    except (OSError, ssl.SSLError, EOFError, websockets.InvalidMessage):
        print("one too many is turned away")
    os.kill(int(PROCESS), signal.SIGTERM)
    for line in await asyncio.gather(*map(end_of, sockets)):
        print(line)


asyncio.run(main())
