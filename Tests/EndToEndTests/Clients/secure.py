"""A client that checks certificates, before and after the hub is given a new one.

    secure.py PORT PROCESS_ID CA CERTIFICATE KEY NEW_CERTIFICATE NEW_KEY

The new pair is for another host name. It is put in the old one's place and the hub is told by
SIGHUP. Prints one line and exits with 0 if the old socket lives on and new ones get the new pair.
"""
import asyncio
import json
import os
import shutil
import signal
import ssl
import sys

import websockets

PORT, PROCESS, CA, CERTIFICATE, KEY, NEW_CERTIFICATE, NEW_KEY = sys.argv[1:8]
URL = f"wss://127.0.0.1:{PORT}/graphql"


def connect(name):
    context = ssl.create_default_context(cafile=CA)
    return websockets.connect(
        URL, ssl=context, server_hostname=name, subprotocols=["graphql-transport-ws"])


async def ask(socket):
    query = {"id": "1", "type": "subscribe", "payload": {"query": "{ __typename }"}}
    await socket.send(json.dumps(query))
    answers = [json.loads(await asyncio.wait_for(socket.recv(), 10)) for _ in range(2)]
    assert answers[0]["payload"]["data"]["__typename"] == "Query", answers


async def main():
    old = await connect("old.example")
    await old.send(json.dumps({"type": "connection_init"}))
    assert json.loads(await old.recv())["type"] == "connection_ack"
    await ask(old)

    shutil.copyfile(NEW_CERTIFICATE, CERTIFICATE)
    shutil.copyfile(NEW_KEY, KEY)
    os.kill(int(PROCESS), signal.SIGHUP)
    for _ in range(200):
        try:
            new = await connect("new.example")
            break
        except ssl.SSLCertVerificationError:
            await asyncio.sleep(0.05)
    else:
        raise SystemExit("the new certificate was not shown within 10 s")
    await new.close()
    await ask(old)
    try:
        await connect("old.example")
        raise SystemExit("the old certificate is still shown")
    except ssl.SSLCertVerificationError:
        pass
    version = old.transport.get_extra_info("ssl_object").version()
    await old.close()
    print(f"{version}: the old socket went on, new ones got the new certificate")


asyncio.run(main())
