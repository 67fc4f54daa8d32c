"""Puts what is there into most of what Schemathesis asks for, so that it gets past the first look-up."""

import json
import os

import schemathesis

KNOWN = json.loads(os.environ["MAYDAY_KNOWN"])
# What client libraries send.
INGESTION = ["/api/v1/errors", "/api/v1/errors/batch", "/api/v1/logs/batch"]


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
    """Leaves the reads, but for the streams that do not end by themselves, and what client libraries send."""
    for path, operations in raw_schema["paths"].items():
        for method in list(operations):
            is_read = method == "get" and not path.endswith(("/stream", "/tail"))
            if not is_read and not (method == "post" and path in INGESTION):
                del operations[method]


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    # Behind a path that leads nowhere nothing else is looked at.
    return replace(path_parameters, odd=8)


@schemathesis.hook
def map_query(context, query):
    return replace(query)


@schemathesis.hook
def map_body(context, body):
    # What an event needs beside its key, where nothing was made up for it.
    least = {"message": "made up"} if context.operation.path.startswith("/api/v1/errors") else {}
    if isinstance(body, list):
        return [{**least, **replace(item)} if isinstance(item, dict) else item for item in body]
    return {**least, **replace(body)} if isinstance(body, dict) else body


@schemathesis.hook
def after_call(context, case, response):
    """Notes what was answered: a run in which all is refused shows nothing."""
    with open(os.environ["MAYDAY_ANSWERS"], "a", encoding="ascii") as answers:
        answers.write(f"{response.status_code} {case.operation.label}\n")
