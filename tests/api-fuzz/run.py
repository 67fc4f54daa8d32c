"""Schemathesis against the built server: all reads and what clients send, by the server's own document.

    python3 tests/api-fuzz/run.py [--binary PATH] [--examples N] [--seed N]

The first run makes a virtual environment beside this file. No answer may be a 5xx or of a status that the document
does not name, whatever is asked; what an answer holds must be as documented.
"""

import argparse
import faulthandler
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
VENV = HERE / ".venv"
REQUIREMENTS = HERE / "requirements.txt"
DATA_WAIT = 60  # seconds until what was sent can be read

# What needs an administrator's test sign-in, an event that could not be digested, or a service that is connected.
NEVER_DONE = {
    "GET /api/v1/organizations/{organization_id}/connections/{connection_id}/destinations",
    "GET /api/v1/organizations/{organization_id}/connections/{connection_id}/repositories",
    "GET /api/v1/organizations/{organization_id}/sign-in/tests/{test_id}",
    "GET /api/v1/projects/{project_id}/set-aside/{set_aside_id}",
}
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def prepare():
    """The virtual environment with the versions that REQUIREMENTS pins."""
    done = VENV / ".installed"
    if done.exists() and done.read_text() == REQUIREMENTS.read_text():
        return
    subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)
    pip = [VENV / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--requirement", REQUIREMENTS], check=True)
    done.write_text(REQUIREMENTS.read_text())


class Server:
    """A server on a free port and a directory of its own."""

    def __init__(self, binary, folder):
        limits = ["DASHBOARD_PER_HOUR", "PLATFORM_PER_MINUTE", "SOURCEMAPS_PER_HOUR", "ERRORS_PER_SECOND", "LOGS_PER_SECOND"]
        environment = {f"SERVICE_RATE_LIMIT_{name}": "0" for name in [*limits, "KILOBYTES_PER_SECOND"]}
        environment["SERVICE_ANONYMOUS_TELEMETRY_DISABLED"] = "1"
        command = [binary, "serve", "--data-dir", folder, "--listen", "127.0.0.1:0"]
        self.log = open(pathlib.Path(folder).with_suffix(".log"), "w+")
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=self.log, text=True)
        first = self.process.stdout.readline()
        self.url = next((word for word in first.split() if word.startswith("http://")), None)
        if self.url is None:
            sys.exit(f"the server did not start: {first}{self.output()}")
        self.token = None

    def output(self):
        self.log.seek(0)
        return self.log.read()

    def ask(self, method, path, body=None, token=None):
        """The answer's JSON; a refusal is an error."""
        request = urllib.request.Request(self.url + path, method=method)
        if token or self.token:
            request.add_header("authorization", f"Bearer {token or self.token}")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("content-type", "application/json")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=30)


def fill(server, folder):
    """Claims the instance and gives it something of each kind; what paths and bodies are to name of it."""
    token = (pathlib.Path(folder) / "setup-token").read_text().strip()
    claim = {"setup_token": token, "email": "ada@example.com", "password": "correct horse battery",
             "organization_name": "Acme"}
    claimed = server.ask("POST", "/auth/setup", claim)
    server.token = claimed["access_token"]
    organization = claimed["organization_id"]
    project = server.ask("POST", f"/api/v1/organizations/{organization}/projects", {"name": "Shop"})["id"]
    key = server.ask("POST", f"/api/v1/projects/{project}/api-keys", {"name": "fuzz"})["key"]
    stack = "Error: x\n    at total (https://shop.example/a.js:1:2)"
    event = {"api_key": key, "event_id": "e-1", "release": "1.0.0", "trace_id": "t-1", "user": {"id": "u"},
             "exception": {"type": "Error", "message": "x", "stack": stack}}
    now = int(time.time() * 1000)
    replay = {"api_key": key, "replay_id": "r-1", "session_id": "s", "window_id": "w", "start_timestamp": now,
              "end_timestamp": now, "events": [{"type": 4, "timestamp": now, "data": {"href": "https://shop.example/"}}]}
    server.ask("POST", "/api/v1/replays", replay)
    server.ask("POST", "/api/v1/errors", event)
    server.ask("POST", "/api/v1/errors", {"api_key": key, "message": "hello", "tags": {"plan": "pro"}})
    entries = [{"timestamp": time.time() - number, "level": "info", "message": f"Order {number} placed",
                "trace_id": "t-1", "attributes": {"order": number}} for number in range(50)]
    server.ask("POST", "/api/v1/logs/batch", {"api_key": key, "logs": entries})
    server.token, session = None, server.token
    release(server, key)
    server.token = session
    issue, entry = until_read(server, project)
    return {"organization_id": organization, "project_id": project, "issue_id": issue, "event_id": "e-1",
            "version": "1.0.0", "trace_id": "t-1", "id": entry, "api_key": key, "replay_id": "r-1", **automate(server)}


def automate(server):
    """A repository that a runner has a copy of, an automation, and a session."""
    repository = server.ask("POST", "/api/repos", {"hostRepoId": "1", "hostRepoName": "acme/shop",
                                                   "hostUrl": "https://git.example/acme/shop.git"})["id"]
    runner = server.ask("POST", "/api/runners", {"name": "machine"})
    mirror = {"repository_id": repository, "commit": "0123456"}
    server.ask("POST", "/api/runners/self/mirrors", mirror, token=runner["token"])
    prebuild = server.ask("GET", "/api/prebuilds")["prebuilds"][0]["id"]
    automation = server.ask("POST", "/api/automations", {"name": "Look"})["automation"]["id"]
    session = server.ask("POST", "/api/sessions", {"prompt": "Look"})["session"]["id"]
    return {"repository_id": repository, "runner_id": runner["runner"]["id"], "prebuild_id": prebuild,
            "automation_id": automation, "agent_session_id": session, "cron": "0 8 * * *"}


def release(server, key):
    """A release with a source map, as a build uploads it."""
    parts = {"release": "1.0.0", "url": "~/a.js"}
    fields = [f'--x\r\ncontent-disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in parts.items()]
    source_map = '{"version":3,"sources":["a.ts"],"sourcesContent":["total()"],"names":[],"mappings":"AAAA"}'
    file = f'--x\r\ncontent-disposition: form-data; name="sourcemap"; filename="a.js.map"\r\n\r\n{source_map}\r\n--x--\r\n'
    request = urllib.request.Request(server.url + "/api/v1/sourcemaps", ("".join(fields) + file).encode(), {
        "authorization": f"Bearer {key}", "content-type": "multipart/form-data; boundary=x"})
    urllib.request.urlopen(request, timeout=30).close()


def until_read(server, project):
    """An issue and a log entry, once all that was sent can be read."""
    until = time.monotonic() + DATA_WAIT
    while time.monotonic() < until:
        issues = server.ask("GET", f"/api/v1/projects/{project}/issues")
        logs = server.ask("GET", f"/api/v1/projects/{project}/logs")
        if issues["total"] == 2 and logs["total"] == 50:
            return issues["issues"][0]["id"], logs["logs"][0]["id"]
        time.sleep(0.1)
    sys.exit("what was sent cannot be read")


def fuzz(server, known, answers, examples, seed):
    """What is wrong; nothing: all is well."""
    command = [VENV / "bin" / "schemathesis", "run", f"{server.url}/api/openapi.json",
               "--header", f"Authorization: Bearer {server.token}", "--checks", CHECKS,
               "--phases", "coverage,fuzzing", "--mode", "all", "--continue-on-failure",
               "--max-examples", str(examples), "--seed", str(seed), "--generation-database", "none",
               "--suppress-health-check", "all", "--warnings", "off",
               "--generation-with-security-parameters", "false", "--no-color", "--request-timeout", "30"]
    environment = {**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE),
                   "MAYDAY_KNOWN": json.dumps(known), "MAYDAY_ANSWERS": str(answers)}
    ended = subprocess.run(command, cwd=HERE, env=environment).returncode
    if ended:
        return f"Schemathesis ended with {ended}"
    if server.process.poll() is not None:
        return f"the server ended with {server.process.returncode}"
    refused = never_done(answers)
    return f"only ever refused, so nothing of them was tested: {refused}" if refused else None


def never_done(answers):
    """Operations that no request of got through."""
    done, asked = set(), set()
    for line in answers.read_text().splitlines():
        status, operation = line.split(" ", 1)
        asked.add(operation)
        if status[0] in "23":
            done.add(operation)
    return sorted(asked - done - NEVER_DONE)


def main():
    # Says where it hangs, before `make` ends it.
    faulthandler.dump_traceback_later(280)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=HERE.parent.parent / "target" / "debug" / "mayday")
    parser.add_argument("--examples", type=int, default=10, help="requests of each operation")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    prepare()
    with tempfile.TemporaryDirectory(prefix="mayday-fuzz-") as folder:
        data = pathlib.Path(folder) / "data"
        server = Server(given.binary, data)
        try:
            answers = pathlib.Path(folder) / "answers"
            failed = fuzz(server, fill(server, data), answers, given.examples, given.seed)
        finally:
            server.stop()
        if failed:
            print(server.output()[-10_000:], file=sys.stderr)
            sys.exit(f"{failed} (--seed {given.seed} asks the same again)")


if __name__ == "__main__":
    main()
