"""A client of automatic persisted queries, over HTTP and WebSockets.

    persisted.py PORT API_KEY

It sends a hash, sends the document with it if the hub asks for that, and from then on the hash
alone. A hub has several shards, each with a memory of its own, so on a new connection the hash may be
unknown once more, and never twice on one. Prints one line and exits with 0 if all is right.
"""
import asyncio
import hashlib
import http.client
import json
import sys
from urllib.parse import urlencode

from websockets.asyncio.client import connect

PORT, KEY = sys.argv[1:3]
QUERY = "query Threads($limit: Int) { listThreads(limit: $limit) { items { id } } }"
SUBSCRIPTION = "subscription { onCreateThread { id } }"
MUTATION = 'mutation { createThread(input: {name: "n", location: "x"}) { id } }'
NOT_FOUND = ("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND")


def persisted(query):
    digest = hashlib.sha256(query.encode()).hexdigest()
    return {"persistedQuery": {"version": 1, "sha256Hash": digest}}


def is_miss(errors):
    return [(e["message"], e.get("extensions", {}).get("code")) for e in errors] == [NOT_FOUND]


class Link:
    """What Apollo's link for persisted queries does, on one connection."""

    def __init__(self, method):
        self.connection = http.client.HTTPConnection("127.0.0.1", int(PORT), timeout=20)
        self.method, self.misses = method, 0

    def send(self, **body):
        headers = {"x-api-key": KEY, "Accept": "application/graphql-response+json, application/json;q=0.9"}
        if self.method == "GET":
            parts = {k: v if isinstance(v, str) else json.dumps(v) for k, v in body.items()}
            self.connection.request("GET", "/graphql?" + urlencode(parts), headers=headers)
        else:
            headers["Content-Type"] = "application/json"
            self.connection.request("POST", "/graphql", json.dumps(body), headers)
        return json.loads(self.connection.getresponse().read())

    def run(self, query, variables):
        rest = {"variables": variables, "extensions": persisted(query)}
        answer = self.send(**rest)
        if is_miss(answer.get("errors", [])):
            self.misses += 1
            answer = self.send(query=query, **rest)
        assert "errors" not in answer, answer
        return answer["data"]


def over_http():
    for method in ["POST", "GET"]:
        for _ in range(4):
            link = Link(method)
            for _ in range(3):
                assert "listThreads" in link.run(QUERY, {"limit": 5})
            assert link.misses <= 1, link.misses
    wrong = Link("POST").send(query=QUERY, extensions=persisted(QUERY + " "))
    assert wrong["errors"][0]["message"].startswith("provided sha does not match query"), wrong


async def over_websocket(subprotocol, start, result):
    url = f"ws://127.0.0.1:{PORT}/graphql"
    async with connect(url, subprotocols=[subprotocol]) as socket:

        async def say(**message):
            await socket.send(json.dumps(message))

        async def hear():
            while True:
                message = json.loads(await asyncio.wait_for(socket.recv(), 20))
                if message["type"] not in ("ka", "ping"):
                    return message

        await say(type="connection_init", payload={"x-api-key": KEY})
        assert (await hear())["type"] == "connection_ack"
        # The answer to the query behind a subscription tells that this is live, or refused.
        refused = 0
        for attempt, payload in enumerate([{}, {"query": SUBSCRIPTION}, {}]):
            payload["extensions"] = persisted(SUBSCRIPTION)
            await say(id=f"s{attempt}", type=start, payload=payload)
            await say(id=f"q{attempt}", type=start, payload={"query": "{ __typename }"})
            while (message := await hear())["id"][0] == "s":
                assert message["type"] == "error", message
                assert "PERSISTED_QUERY_NOT_FOUND" in json.dumps(message), message
                refused += 1
            assert (await hear())["type"] == "complete"
        assert refused <= 1
        await say(id="m", type=start, payload={"query": MUTATION})
        heard = [await hear() for _ in range(5 - refused)]
        events = sorted(m["id"] for m in heard if m["type"] == result and m["id"][0] == "s")
        assert events == ["s0", "s1", "s2"][refused:], heard


over_http()
for arguments in [("graphql-transport-ws", "subscribe", "next"), ("graphql-ws", "start", "data")]:
    asyncio.run(over_websocket(*arguments))
print("hashes alone were enough, over HTTP and WebSockets")
