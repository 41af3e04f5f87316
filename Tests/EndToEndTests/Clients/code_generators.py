"""Code generators and a schema-reading client, each against a running hub.

    code_generators.py gql PORT FOLDER
    code_generators.py sgqlc PORT FOLDER
    code_generators.py ariadne PORT FOLDER

Each fetches the schema by its own introspection. sgqlc and ariadne-codegen write a client into
FOLDER, which then runs a query and a mutation, and a subscription where it can. Prints one line
and exits with 0 if all is as it should be.
"""
import asyncio
import json
import os
import subprocess
import sys

TOOL, PORT, FOLDER = sys.argv[1:4]
HTTP = f"http://127.0.0.1:{PORT}/graphql"
SOCKET = f"ws://127.0.0.1:{PORT}/graphql"


def command(*words):
    """Runs a tool of this environment in the folder."""
    done = subprocess.run(
        words, cwd=FOLDER, capture_output=True, text=True, timeout=60,
        env={**os.environ, "PYTHONPATH": FOLDER})
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")


async def gql():
    from gql import Client, gql as document
    from gql.dsl import DSLMutation, DSLQuery, DSLSchema, dsl_gql
    from gql.transport.aiohttp import AIOHTTPTransport
    from gql.transport.exceptions import TransportQueryError
    from gql.transport.websockets import WebsocketsTransport
    from graphql import GraphQLError, build_schema, parse, print_ast, print_schema, validate

    async with Client(
            transport=AIOHTTPTransport(url=HTTP), fetch_schema_from_transport=True,
            introspection_args={
                "specified_by_url": True, "directive_is_repeatable": True,
                "schema_description": True, "input_value_deprecation": True,
            }) as session:
        schema = session.client.schema
        with open(os.path.join(FOLDER, "api.graphql"), encoding="utf-8") as file:
            if print_schema(build_schema(file.read())) != print_schema(schema):
                raise SystemExit("the printed SDL is another schema than the introspected one")
        api = DSLSchema(schema)
        made = await session.execute(dsl_gql(DSLMutation(api.Mutation.createThread.args(
            input={"id": "g", "name": "gql", "location": "here"},
        ).select(api.Thread.id, api.Thread.createdAt))))
        assert made["createThread"]["id"] == "g", made
        read = await session.execute(dsl_gql(DSLQuery(
            api.Query.getThread(id="g").select(api.Thread.name))))
        assert read == {"getThread": {"name": "gql"}}, read
        # The client itself refuses what its schema has not; the hub says the same.
        wrong = document("{ getThread(id: 1) { nme } }")
        try:
            await session.execute(wrong)
            raise SystemExit("gql took a field that does not exist")
        except GraphQLError as error:
            assert "nme" in error.message, error
        places = [error.locations for error in validate(schema, parse(print_ast(wrong.document)))]
        session.client.schema = None
        try:
            await session.execute(wrong)
            raise SystemExit("the hub took a field that does not exist")
        except TransportQueryError as error:
            told = [answer["locations"] for answer in error.errors]
            assert told == [[place.formatted for place in each] for each in places], error
    async with Client(
            transport=WebsocketsTransport(url=SOCKET), fetch_schema_from_transport=True,
    ) as session:
        assert print_schema(session.client.schema) is not None
    return f"{len(schema.type_map)} types"


def sgqlc():
    from sgqlc.endpoint.http import HTTPEndpoint

    command(sys.executable, "-m", "sgqlc.introspection", HTTP, "api.json")
    command(os.path.join(os.path.dirname(sys.executable), "sgqlc-codegen"),
            "schema", "api.json", "api.py")
    sys.path.insert(0, FOLDER)
    import api
    from sgqlc.operation import Operation

    endpoint = HTTPEndpoint(HTTP)
    mutation = Operation(api.Mutation)
    made = mutation.create_thread(
        input=api.CreateThreadInput(id="s", name="sgqlc", location="there"))
    made.id()
    made.created_at()
    made = (mutation + endpoint(mutation)).create_thread
    assert made.id == "s" and made.created_at.endswith("Z"), made
    query = Operation(api.Query)
    threads = query.list_threads(
        filter=api.ModelThreadFilterInput(location=api.ModelStringInput(eq="there")))
    threads.items().name()
    threads.items().messages(limit=1).items().id()
    items = (query + endpoint(query)).list_threads.items
    assert [item.name for item in items] == ["sgqlc"], items
    return f"{sum(1 for _ in api.api)} types"


OPERATIONS = """
mutation MakeThread($input: CreateThreadInput!) { createThread(input: $input) { id name } }
mutation Send($input: CreateMessageInput!) { createMessage(input: $input) { id body } }
query ReadThread($id: ID!) {
  getThread(id: $id) { id name location messages(limit: 10) { items { body } nextToken } }
}
subscription Messages($filter: ModelSubscriptionMessageFilterInput) {
  onCreateMessage(filter: $filter) { id body createdAt }
}
"""


async def ariadne():
    with open(os.path.join(FOLDER, "operations.graphql"), "w", encoding="utf-8") as file:
        file.write(OPERATIONS)
    with open(os.path.join(FOLDER, "pyproject.toml"), "w", encoding="utf-8") as file:
        file.write(
            f'[tool.ariadne-codegen]\nremote_schema_url = "{HTTP}"\n'
            'queries_path = "operations.graphql"\ntarget_package_name = "hub_client"\n'
            "introspection_input_value_deprecation = true\n"
            "introspection_specified_by_url = true\n")
    command(os.path.join(os.path.dirname(sys.executable), "ariadne-codegen"))
    sys.path.insert(0, FOLDER)
    from hub_client import Client, CreateMessageInput, CreateThreadInput

    async with Client(url=HTTP, ws_url=SOCKET) as client:
        made = await client.make_thread(
            CreateThreadInput(id="a", name="ariadne", location="x"))
        assert made.create_thread.name == "ariadne", made
        events = client.messages()
        first = asyncio.ensure_future(anext(events))
        # The subscription is live from some moment on: messages are sent until one arrives.
        for number in range(200):
            await client.send(CreateMessageInput(
                id=f"a{number}", body="hello", messageAuthorId="u", messageThreadId="a"))
            if (await asyncio.wait([first], timeout=0.05))[0]:
                break
        event = await asyncio.wait_for(first, 5)
        assert event.on_create_message.body == "hello", event
        assert event.on_create_message.created_at.endswith("Z"), event
        await events.aclose()
        read = await client.read_thread("a")
        assert read.get_thread.messages.items[0].body == "hello", read
    return "query, mutation and subscription"


if TOOL == "sgqlc":
    RESULT = sgqlc()
else:
    RESULT = asyncio.run({"gql": gql, "ariadne": ariadne}[TOOL]())
print(f"{TOOL}: {RESULT}")
