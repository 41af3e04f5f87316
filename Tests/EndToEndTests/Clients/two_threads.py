"""Two clients on two threads: each must receive its own messages and replies, and nothing else.

    two_threads.py TRANSPORT PORT API_KEY TAG

TRANSPORT is graphql-transport-ws, graphql-ws or appsync: the stock transports of the gql library.
Messages are published over HTTP. Prints one line and exits with 0 if everything arrived once, in
order, at the right client.
"""
import asyncio
import sys

from gql import Client, GraphQLRequest
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.appsync_auth import AppSyncApiKeyAuthentication
from gql.transport.appsync_websockets import AppSyncWebsocketsTransport
from gql.transport.websockets import WebsocketsTransport

TRANSPORT, PORT, KEY, TAG = sys.argv[1:5]
HTTP = f"http://127.0.0.1:{PORT}/graphql"
WS = f"ws://127.0.0.1:{PORT}/graphql"
COUNT = 5

MESSAGES = """subscription OnMessage($t: ID!) {
  onCreateMessage(messageThreadId: $t) { id body author { username } thread { id } } }"""
REPLIES = """subscription OnReply($t: ID!) {
  onCreateReply(filter: {message: {thread: {id: {eq: $t}}}}) { id body message { id body thread { id } } } }"""


def transport():
    if TRANSPORT == "appsync":
        return AppSyncWebsocketsTransport(
            url=WS, auth=AppSyncApiKeyAuthentication(host=f"127.0.0.1:{PORT}", api_key=KEY))
    return WebsocketsTransport(
        url=WS, subprotocols=[TRANSPORT], init_payload={"X-Api-Key": KEY})


async def collect(session, query, field, thread, into):
    request = GraphQLRequest(query, variable_values={"t": thread})
    async for event in session.subscribe(request):
        into.append(event[field])


async def until(condition, what):
    for _ in range(400):
        if condition():
            return
        await asyncio.sleep(0.025)
    raise SystemExit(f"{TRANSPORT}: {what} did not happen within 10 s")


async def main():
    threads = [f"{TAG}-one", f"{TAG}-two"]
    inboxes = {t: {"messages": [], "replies": []} for t in threads}
    async with Client(transport=AIOHTTPTransport(url=HTTP, headers={"x-api-key": KEY})) as http:

        async def run(text, **variables):
            return await http.execute(GraphQLRequest(text, variable_values=variables))

        await run("mutation($i: CreateUserInput!) { createUser(input: $i) { id } }",
                  i={"id": f"{TAG}-user", "username": "ada"})
        for t in threads:
            await run("mutation($i: CreateThreadInput!) { createThread(input: $i) { id } }",
                      i={"id": t, "name": t, "location": "SW1A"})

        async def publish(t, body):
            # The mutation selects less than the subscribers do.
            message = (await run(
                "mutation($i: CreateMessageInput!) { createMessage(input: $i) { id } }",
                i={"body": body, "messageThreadId": t, "messageAuthorId": f"{TAG}-user"}))
            await run("mutation($i: CreateReplyInput!) { createReply(input: $i) { id } }",
                      i={"body": f"re {body}", "replyAuthorId": f"{TAG}-user",
                         "replyMessageId": message["createMessage"]["id"]})

        clients = [Client(transport=transport()) for _ in threads]
        sessions = [await c.connect_async() for c in clients]
        tasks = []
        for session, t in zip(sessions, threads):
            tasks.append(asyncio.create_task(
                collect(session, MESSAGES, "onCreateMessage", t, inboxes[t]["messages"])))
            tasks.append(asyncio.create_task(
                collect(session, REPLIES, "onCreateReply", t, inboxes[t]["replies"])))
        # The stock transports do not tell when a subscription is live: knock until it answers.
        for t in threads:
            for number in range(40):
                await publish(t, f"knock {number}")
                try:
                    await asyncio.wait_for(until(
                        lambda: inboxes[t]["messages"] and inboxes[t]["replies"], ""), 0.25)
                    break
                except asyncio.TimeoutError:
                    continue
        for number in range(COUNT):
            for t in threads:
                await publish(t, f"{t} {number}")
        for t in threads:
            last = f"{t} {COUNT - 1}"
            await until(lambda: any(m["body"] == last for m in inboxes[t]["messages"])
                        and any(r["body"] == f"re {last}" for r in inboxes[t]["replies"]),
                        f"arrival of the last message of {t}")
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for client in clients:
            await client.close_async()

    for t in threads:
        wanted = [f"{t} {n}" for n in range(COUNT)]
        messages = [m for m in inboxes[t]["messages"] if not m["body"].startswith("knock")]
        replies = [r for r in inboxes[t]["replies"] if not r["body"].startswith("re knock")]
        assert [m["body"] for m in messages] == wanted, (t, messages)
        assert [r["body"] for r in replies] == [f"re {w}" for w in wanted], (t, replies)
        for m in inboxes[t]["messages"]:
            assert m["thread"]["id"] == t and m["author"]["username"] == "ada", m
        for r in inboxes[t]["replies"]:
            assert r["message"]["thread"]["id"] == t, r
    print(f"{TRANSPORT}: {COUNT} messages and {COUNT} replies on each of two threads, none astray")


asyncio.run(main())
