"""Puts what is there into most of what Schemathesis asks for, so that it gets past the first look-up."""

import json
import os

import schemathesis

KNOWN = json.loads(os.environ["MAYDAY_KNOWN"])
# What client libraries send.
INGESTION = ["/api/v1/errors", "/api/v1/errors/batch", "/api/v1/logs/batch", "/api/v1/replays", "/api/v1/replays/chunk"]


def known(name, value, odd):
    """What is there under a name, or what lies beside it; one of `odd` stays as it was made up. Told by the value, so
    that a seed makes the same requests."""
    told = sum(repr(value).encode())
    if name not in KNOWN or told % odd == 0:
        return value
    is_number = isinstance(value, int) and isinstance(KNOWN[name], int) and not name.endswith("_id")
    return KNOWN[name] + abs(value) % 100 if is_number and told % 2 else KNOWN[name]


def replace(values, odd=4):
    return {name: known(name, value, odd) for name, value in values.items()} if isinstance(values, dict) else values


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Leaves the reads and what client libraries send; not the streams, which do not end by themselves, nor what leads
    to another server."""
    for path, operations in raw_schema["paths"].items():
        for method in list(operations):
            is_read = method == "get" and not path.endswith(("/stream", "/tail", "/updater/latest.json"))
            if not is_read and not (method == "post" and path in INGESTION):
                del operations[method]


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    # Behind a path that leads nowhere nothing else is looked at.
    return replace(path_parameters, odd=8)


@schemathesis.hook
def map_query(context, query):
    return replace(query)


def fit_replay(body):
    """Half of what is made up keeps only what it says beside what a replay needs: made up events are none of rrweb's."""
    if sum(repr(body).encode()) % 2:
        return replace(body)
    event = {"type": 3, "timestamp": 1_795_000_000_000, "data": {"made up": str(body.get("events"))[:1000]}}
    times = {"start_timestamp": 1_795_000_000_000, "end_timestamp": 1_795_000_001_000}
    needed = {"session_id": "s", "window_id": "w", "chunk_index": 1, "total_chunks": None, "metadata": times,
              "api_key": KNOWN["api_key"], "events": [event], **times}
    return {**{name: value for name, value in body.items() if name in ("environment", "release", "url")}, **needed}


@schemathesis.hook
def map_body(context, body):
    # What an event needs beside its key, where nothing was made up for it.
    least = {"message": "made up"} if context.operation.path.startswith("/api/v1/errors") else {}
    if context.operation.path.startswith("/api/v1/replays") and isinstance(body, dict):
        return fit_replay(body)
    if isinstance(body, list):
        return [{**least, **replace(item)} if isinstance(item, dict) else item for item in body]
    return {**least, **replace(body)} if isinstance(body, dict) else body


@schemathesis.hook
def after_call(context, case, response):
    """Notes what was answered: a run in which all is refused shows nothing."""
    with open(os.environ["MAYDAY_ANSWERS"], "a", encoding="ascii") as answers:
        answers.write(f"{response.status_code} {case.operation.label}\n")
