"""The public client of the Model Context Protocol from PyPI, of either revision.

Reads {url, token, mode, calls} from standard input, calls the tools, and writes what it was told. The client itself checks
each result against the tool's schema.
"""

import asyncio
import json
import sys

from mcp.client.streamable_http import streamable_http_client


def plain(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def tools_and_results(client, calls):
    tools = [plain(tool) for tool in (await client.list_tools()).tools]
    results = [plain(await client.call_tool(call["name"], call["arguments"])) for call in calls]
    return {"tools": tools, "results": results}


async def ask_as_old_ones_do(asked):
    import httpx
    from mcp import ClientSession

    async with (
        httpx.AsyncClient(headers=asked["headers"]) as http,
        streamable_http_client(asked["url"], http_client=http) as (read, write, session_id),
        ClientSession(read, write) as client,
    ):
        hello = await client.initialize()
        told = await tools_and_results(client, asked["calls"])
        return told | {"version": hello.protocolVersion, "instructions": hello.instructions, "session": session_id()}


async def ask(asked):
    import httpx2
    from mcp import Client

    async with httpx2.AsyncClient(headers=asked["headers"]) as http:
        transport = streamable_http_client(asked["url"], http_client=http)
        async with Client(transport, mode=asked["mode"]) as client:
            told = await tools_and_results(client, asked["calls"])
            return told | {"version": client.protocol_version, "instructions": client.instructions}


asked = json.load(sys.stdin)
asked["headers"] = {"Authorization": f"Bearer {asked['token']}"}
print(json.dumps(asyncio.run(ask(asked) if asked.get("mode") else ask_as_old_ones_do(asked))))
