"""LiteLLM's proxy with its tables in memory.

The proxy reaches PostgreSQL through prisma, whose engine is a program that is fetched from outside and cannot be here. So
this process replaces that client's tables, and nothing else: the routes, the validation, the checks of keys and budgets and
the accounting are LiteLLM's own. What it asks of the tables beyond what is here fails loudly.

    gateway_in_memory.py PORT
"""

import asyncio
import json
import re
import sys
import types
from contextlib import asynccontextmanager
from datetime import datetime, timezone

prisma = types.ModuleType("prisma")
prisma.errors = types.ModuleType("prisma.errors")
prisma.errors.__getattr__ = lambda name: vars(prisma.errors).setdefault(name, type(name, (Exception,), {}))
prisma.Json = lambda value: value
prisma.Prisma = type("Prisma", (), {})
sys.modules.update({"prisma": prisma, "prisma.errors": prisma.errors})

import uvicorn  # noqa: E402
from pydantic import BaseModel  # noqa: E402
from litellm.proxy import proxy_server  # noqa: E402
from litellm.proxy.utils import PrismaClient, update_spend  # noqa: E402

NOW = lambda: datetime.now(timezone.utc)  # noqa: E731
# What the schema gives a row that says nothing, where that is not null.
DEFAULTS = {
    "litellm_usertable": {"spend": 0.0, "total_spend": 0.0, "models": [], "teams": [], "metadata": {}, "model_max_budget": {}, "model_spend": {}, "allowed_cache_controls": [], "policies": []},
    "litellm_teamtable": {"spend": 0.0, "total_spend": 0.0, "models": [], "admins": [], "members": [], "members_with_roles": [], "metadata": {}, "blocked": False, "model_max_budget": {}, "model_spend": {}, "team_member_permissions": [], "access_group_ids": [], "policies": [], "router_settings": {}},
    "litellm_verificationtoken": {"spend": 0.0, "total_spend": 0.0, "soft_budget_cooldown": False, "models": [], "aliases": {}, "config": {}, "permissions": {}, "metadata": {}, "model_max_budget": {}, "model_spend": {}, "allowed_cache_controls": [], "allowed_routes": [], "policies": [], "access_group_ids": [], "router_settings": {}, "budget_fallbacks": {}},
}
JSON = {"metadata", "aliases", "config", "permissions", "model_max_budget", "model_spend", "router_settings", "members_with_roles", "budget_limits", "budget_fallbacks"}


class Row(BaseModel, extra="allow"):
    """A row: what it lacks is null."""

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            # What makes it a mapping, it is not.
            if name.startswith("_") or name == "keys":
                raise
            return None


TESTS = {
    "in": lambda value, x: value in x,
    "not_in": lambda value, x: value not in x,
    "equals": lambda value, x: value == x,
    "not": lambda value, x: value != x,
    "has": lambda value, x: x in (value or []),
    "lt": lambda value, x: value is not None and value < x,
    "gt": lambda value, x: value is not None and value > x,
    "lte": lambda value, x: value is not None and value <= x,
    "gte": lambda value, x: value is not None and value >= x,
    "mode": lambda value, x: True,
}


def matches(row, where):
    for name, wanted in (where or {}).items():
        if name == "AND":
            parts = wanted if isinstance(wanted, list) else [wanted]
            if not all(matches(row, part) for part in parts):
                return False
        elif name == "OR":
            if not any(matches(row, part) for part in wanted):
                return False
        elif name == "NOT":
            parts = wanted if isinstance(wanted, list) else [wanted]
            if any(matches(row, part) for part in parts):
                return False
        elif isinstance(wanted, dict) and not set(wanted) <= set(TESTS):
            # A key of several columns.
            if not matches(row, wanted):
                return False
        elif isinstance(wanted, dict) and not all(TESTS[test](row.get(name), x) for test, x in wanted.items()):
            return False
        elif not isinstance(wanted, dict) and row.get(name) != wanted:
            return False
    return True


class Table:
    def __init__(self, name):
        self.name, self.rows = name, []

    def _find(self, where):
        return [row for row in self.rows if matches(row, where)]

    def _write(self, row, data):
        for name, value in data.items():
            if isinstance(value, dict) and set(value) == {"increment"}:
                row[name] = (row.get(name) or 0) + value["increment"]
            elif isinstance(value, dict) and set(value) in ({"set"}, {"push"}):
                row[name] = value["set"] if "set" in value else [*(row.get(name) or []), *value["push"]]
            elif name in JSON and isinstance(value, str):
                row[name] = json.loads(value)
            else:
                row[name] = value

    async def find_unique(self, where, include=None, **_):
        return next((Row(**row) for row in self._find(where)), None)

    async def find_first(self, where=None, **_):
        return await self.find_unique(where)

    async def find_many(self, where=None, take=None, skip=None, **_):
        return [Row(**row) for row in self._find(where)[skip or 0 :][:take]]

    async def count(self, where=None, **_):
        return len(self._find(where))

    async def create(self, data, **_):
        row = json.loads(json.dumps(DEFAULTS.get(self.name, {})))
        row.update({"created_at": NOW(), "updated_at": NOW()})
        self._write(row, {name: value for name, value in data.items() if value is not None})
        self.rows.append(row)
        return Row(**row)

    async def create_many(self, data, **_):
        for one in data:
            await self.create(one)
        return len(data)

    async def update_many(self, data, where):
        found = self._find(where)
        for row in found:
            self._write(row, data)
        return len(found)

    async def update(self, data, where, **_):
        return await self.find_unique(where) if await self.update_many(data, where) else None

    async def upsert(self, where, data, **_):
        if await self.update_many(data["update"], where):
            return await self.find_unique(where)
        return await self.create(data["create"])

    async def delete_many(self, where=None):
        gone = self._find(where)
        self.rows = [row for row in self.rows if row not in gone]
        return len(gone)

    async def delete(self, where, **_):
        row = await self.find_unique(where)
        await self.delete_many(where)
        return row


class Batch:
    """Statements that are run at the end."""

    def __init__(self, db):
        self.db, self.todo = db, []

    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, *_):
        if kind is None:
            await self.commit()

    async def commit(self):
        for statement in self.todo:
            await statement
        self.todo = []

    def __getattr__(self, name):
        table = getattr(self.db, name)
        return types.SimpleNamespace(**{
            verb: (lambda *a, verb=verb, **k: self.todo.append(getattr(table, verb)(*a, **k)))
            for verb in ["create", "update", "update_many", "upsert", "delete_many"]
        })


class Tables:
    def __getattr__(self, name):
        if name.startswith("__") or not name.startswith("litellm_"):
            raise AttributeError(name)
        table = Table(name)
        setattr(self, name, table)
        return table

    def batch_(self):
        return Batch(self)

    @asynccontextmanager
    async def tx(self, *_, **__):
        yield self

    def is_connected(self):
        return True

    async def disconnect(self, *_, **__):
        pass

    async def execute_raw(self, query, *args):
        if "advisory" in query.lower():
            return 0
        print(f"IN MEMORY: not run: {query[:200]}", file=sys.stderr)
        return 0

    async def query_raw(self, query, *args):
        if "advisory" in query or query.strip().upper() == "SELECT 1":
            return [{}]
        if one := re.fullmatch(r'SELECT (\w+) FROM "LiteLLM_TeamTable" WHERE team_id = \$1( FOR UPDATE)?', query.strip()):
            return [{one[1]: row.get(one[1])} for row in self.litellm_teamtable._find({"team_id": args[0]})]
        print(f"IN MEMORY: not asked: {query[:200]}", file=sys.stderr)
        return []

    async def query_first(self, query, *args):
        if '"LiteLLM_VerificationToken" AS v' not in query:
            raise NotImplementedError(query)
        found = self.litellm_verificationtoken._find({"token": args[0]})
        if not found:
            return None
        key = found[0]
        team = next(iter(self.litellm_teamtable._find({"team_id": key.get("team_id")})), {}) if key.get("team_id") else {}
        of_team = ["spend", "max_budget", "soft_budget", "model_max_budget", "tpm_limit", "rpm_limit", "tpd_limit", "models", "metadata", "blocked", "alias", "members_with_roles", "object_permission_id"]
        column = lambda name: "team_alias" if name == "alias" else name  # noqa: E731
        return {**key, **{f"team_{name}": team.get(column(name)) for name in of_team}, "org_id": None}


class InMemory(PrismaClient):
    def __init__(self, logging):
        self.proxy_logging_obj, self.db, self.token_auth = logging, Tables(), None
        self.baseline_accounting_transactions, self.baseline_accounting_lock = [], asyncio.Lock()
        self._db_reconnect_lock = asyncio.Lock()

    @property
    def writer_db(self):
        return self.db

    async def _query_first_with_cached_plan_fallback(self, query, *args):
        return await self.db.query_first(query, *args)

    async def health_check(self):
        return True


async def account(client):
    """What the proxy's own scheduler does every 10 to 15 s once it has a database."""
    while True:
        await asyncio.sleep(0.5)
        try:
            await update_spend(client, None, client.proxy_logging_obj)
        except Exception as error:  # shown, and tried again
            print(f"IN MEMORY: accounting: {error!r}", file=sys.stderr)


class Server(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        proxy_server.prisma_client = InMemory(proxy_server.proxy_logging_obj)
        # As at its start, had it been there.
        proxy_server.cost_tracking()
        self.accounting = asyncio.create_task(account(proxy_server.prisma_client))


if __name__ == "__main__":
    port = int(sys.argv[1])
    Server(uvicorn.Config(proxy_server.app, host="127.0.0.1", port=port, log_level="warning")).run()
