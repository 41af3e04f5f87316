"""A client of event streams that knows only the HTML standard's rules for them.

Usage: event_stream.py PORT KEY. Subscribes by GET and by POST, publishes, and expects every event
once and in order; then a query and a broken document as streams.
"""

import http.client
import json
import sys
import urllib.parse

port, key = int(sys.argv[1]), sys.argv[2]


class EventSource:
    """One stream: `next()` gives the next event with data as (type, data)."""

    def __init__(self, query, method="GET"):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        headers = {"Accept": "text/event-stream", "x-api-key": key}
        if method == "GET":
            target = "/graphql?" + urllib.parse.urlencode({"query": query})
            self.connection.request("GET", target, headers=headers)
        else:
            headers["Content-Type"] = "application/json"
            self.connection.request("POST", "/graphql", json.dumps({"query": query}), headers)
        self.response = self.connection.getresponse()
        assert self.response.status == 200, self.response.status
        kind = self.response.getheader("Content-Type")
        assert kind == "text/event-stream; charset=utf-8", kind
        # The first line shows that the stream is open.
        assert self.response.readline() == b":\n"
        assert self.response.readline() == b"\n"

    def next(self):
        name, data = "message", None
        while True:
            line = self.response.readline()
            if not line:
                return None
            line = line.decode().rstrip("\n")
            if line == "":
                if data is not None:
                    return name, data
                name = "message"
            elif not line.startswith(":"):
                field, _, value = line.partition(":")
                value = value.removeprefix(" ")
                if field == "event":
                    name = value
                elif field == "data":
                    data = value if data is None else data + "\n" + value


def publish(number):
    mutation = (
        'mutation { createUser(input: {id: "u%d", username: "name %d"}) { id username } }'
        % (number, number)
    )
    stream = EventSource(mutation, "POST")
    name, data = stream.next()
    assert name == "next" and json.loads(data)["data"]["createUser"]["id"] == "u%d" % number
    assert stream.next() == ("complete", "")
    assert stream.next() is None


streams = [EventSource("subscription { onCreateUser { id } }", how) for how in ("GET", "POST")]
for number in range(20):
    publish(number)
for stream in streams:
    for number in range(20):
        name, data = stream.next()
        assert name == "next", name
        assert json.loads(data) == {"data": {"onCreateUser": {"id": "u%d" % number}}}, data

broken = EventSource("{ nothing")
name, data = broken.next()
assert name == "next" and "errors" in json.loads(data)
assert broken.next() == ("complete", "")
print("2 streams got 20 events each, once and in order")
