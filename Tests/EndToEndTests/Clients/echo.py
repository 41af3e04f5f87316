"""The websockets library against `websocket-echo`, as its client and as its server, plain and by TLS.

    echo.py WEBSOCKET_ECHO

Messages and frames of 16 MiB, 140,000 fragments, compressed or not, must come back as they went; one
byte more must be closed with 1009. Prints one line and exits with 0 if all is right.
"""
import asyncio
import os
import random
import ssl
import subprocess
import sys
import tempfile

from websockets.asyncio.client import connect
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

ECHO = sys.argv[1]
MAX = 16 * 1024 * 1024
TEXT = "isolation nation ☃ " * 200
NOISE = random.Random(1).randbytes(MAX)


async def trade(socket, what, pieces=None):
    """Sends a message, in pieces of a size if one is given, and takes it back."""
    cut = [what[i:i + pieces] for i in range(0, len(what), pieces)] if pieces else what
    await socket.send(cut)
    back = await asyncio.wait_for(socket.recv(), 60)
    assert back == what, f"{type(what)} of {len(what)} came back otherwise"


async def start(*arguments):
    echo = await asyncio.create_subprocess_exec(ECHO, *arguments, stdout=subprocess.PIPE)
    line = (await asyncio.wait_for(echo.stdout.readline(), 10)).decode()
    return echo, line.split()[1]


async def as_server(options, context):
    echo, url = await start(*options)
    try:
        for compression in ["deflate", None]:
            def open_socket():
                return connect(url, ssl=context, max_size=None, compression=compression)

            async with open_socket() as socket:
                agreed = [extension.name for extension in socket.protocol.extensions]
                assert agreed == (["permessage-deflate"] if compression else []), agreed
                for what in ["", "a", TEXT, b"", NOISE[:70_000]]:
                    await trade(socket, what)
                    await trade(socket, what or TEXT, pieces=7)
                await trade(socket, b"\0" * MAX)
            async with open_socket() as socket:
                try:
                    await socket.send("x" * (MAX + 1))
                    await asyncio.wait_for(socket.recv(), 60)
                    raise SystemExit("a message over the limit was taken")
                except ConnectionClosed as closed:
                    assert closed.rcvd and closed.rcvd.code == 1009, closed
        async with connect(url, ssl=context, max_size=None, compression=None) as socket:
            await trade(socket, NOISE)
            await trade(socket, b"x" * 140_000, pieces=1)
    finally:
        echo.terminate()
        await echo.wait()


async def as_client(folder, context):
    """Plays a fuzzing server with one case."""
    seen = []

    async def handler(socket):
        path = socket.request.path
        seen.append(path)
        if path == "/getCaseCount":
            await socket.send("1")
        elif path.startswith("/runCase"):
            assert [extension.name for extension in socket.protocol.extensions]
            for what in [TEXT, NOISE[:70_000], b"\0" * MAX]:
                await trade(socket, what)
            await trade(socket, TEXT, pieces=3)
            seen.append("echoed")

    async with serve(handler, "127.0.0.1", 0, ssl=context, max_size=None) as server:
        port = server.sockets[0].getsockname()[1]
        scheme = "wss" if context else "ws"
        echo = await asyncio.create_subprocess_exec(
            ECHO, "--connect", f"{scheme}://127.0.0.1:{port}", "--ca-file", f"{folder}/cert.pem")
        assert await asyncio.wait_for(echo.wait(), 60) == 0
    assert seen == [
        "/getCaseCount", "/runCase?case=1&agent=heliograph", "echoed",
        "/updateReports?agent=heliograph"], seen


async def main():
    with tempfile.TemporaryDirectory() as folder:
        pair = [f"{folder}/cert.pem", f"{folder}/key.pem"]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=IP:127.0.0.1", "-out", pair[0], "-keyout", pair[1]],
            check=True, capture_output=True)
        await as_server([], None)
        await as_server(
            ["--tls-cert", pair[0], "--tls-key", pair[1]],
            ssl.create_default_context(cafile=pair[0]))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*pair)
        await as_client(folder, None)
        await as_client(folder, context)
    print("echoed as server and as client, plain and by TLS")


os.environ.setdefault("WEBSOCKETS_MAX_FRAGMENTS", "100000")
asyncio.run(main())
