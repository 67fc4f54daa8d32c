// A host with systemd for the service, below a folder of its own: the server runs as another user, who has no way into the
// folder of the scripts, just as little as the user `mayday` has into root's.
//
// MAYDAY_TEST_AT ends a script with SIGKILL, its whole process group, `before` or `after` one of its steps ("before migrate",
// "after stop"); or that step fails: "failing backup".

import assert from "node:assert/strict";
import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary, deploy, nobody, program, read, run } from "./folder.mjs";
import { freePort } from "./programs.mjs";
import { execFileSync, spawnSync } from "../limited.mjs";

/** Seconds within which a server ends, whatever becomes of the test. */
const LIMIT = 240;

const found = (name) => execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();

/** Does `real`, and ends the script that called it where it is asked to. */
const killing = (step, real) => `
case "\${MAYDAY_TEST_AT:-}" in
  "failing ${step}") echo "mayday: ${step} fails, says the test" >&2; exit 1 ;;
  "before ${step}") kill -9 0 ;;
  "after ${step}") ${real}; kill -9 0 ;;
esac
`;

/** Under another name, without its 200 MB where both are on one disk. */
function share(file, name) {
  try {
    linkSync(file, name);
  } catch {
    copyFileSync(file, name);
  }
}

/** Whose programs can be told from one another by their version alone: Mayday's binaries are large. */
export class Host {
  static async make() {
    const host = new Host();
    host.port = await freePort();
    host.site = `http://localhost:${host.port}`;
    host.folder = deploy();
    host.at = mkdtempSync(join(tmpdir(), "mayday-host-"));
    for (const name of ["", "root", "root/var", "root/var/lib"]) {
      mkdirSync(join(host.at, name), { recursive: true });
      chmodSync(join(host.at, name), 0o755);
    }
    host.root = join(host.at, "root");
    share(binary, join(host.at, "real"));
    host.#install();
    host.configure();
    return host;
  }

  configure(...more) {
    const lines = [`SITE_ADDRESS=${this.site}`, "SERVICE_TELEMETRY_MODE=self_managed", "SERVICE_SERVER_IMAGE_TAG=stable", "SERVICE_ANONYMOUS_TELEMETRY_DISABLED=true", `SERVICE_LISTEN=127.0.0.1:${this.port}`, ...more];
    writeFileSync(join(this.folder, ".env.static"), `${lines.join("\n")}\n`, { mode: 0o600 });
  }

  /** A binary that plays this version, in a folder that only root gets into. */
  release(version) {
    program(this.folder, "mayday-new", `export MAYDAY_REHEARSAL=${version}\nexec '${this.at}/real' "$@"`);
    return join(this.folder, "mayday-new");
  }

  /** What systemd and the tools for users do on a host that has the user `mayday`. */
  #install() {
    const { folder, at, root } = this;
    const own = (tool) => `who=$1\nshift\n[ "$who" != mayday ] || who=${nobody}\nexec ${found(tool)} "$who" "$@"`;
    for (const tool of ["chown", "chgrp"]) program(folder, tool, own(tool));
    program(folder, "getent", "exit 0");
    const become = `${found("setpriv")} --reuid=${nobody} --regid=${nobody} --clear-groups -- "$@"`;
    program(folder, "runuser", `shift 3\ncase " $* " in\n*" backup "*) ${killing("backup", become)} ;;\n*" migrate "*) ${killing("migrate", become)} ;;\n*" restore "*) ${killing("restore", become)} ;;\nesac\nexec ${become}`);
    // One that has ended and that nobody has waited for is no more than a line of the kernel's table.
    const alive = `grep -qs '^State:.[^Z]' "/proc/$(cat '${at}/pid' 2>/dev/null || echo none)/status"`;
    const stop = `if ${alive}; then kill "$(cat '${at}/pid')"; while ${alive}; do sleep 0.1; done; fi`;
    const serve = `setsid timeout -k 5 ${LIMIT} ${found("setpriv")} --reuid=${nobody} --regid=${nobody} --clear-groups -- env -i PATH=/usr/bin:/bin SERVICE_DATA_DIR='${root}/var/lib/mayday' '${root}/usr/local/bin/mayday' serve --env-file '${root}/etc/mayday/env'`;
    program(
      folder,
      "systemctl",
      `echo "$*" >>'${at}/calls'
case $1 in
  is-active) ${alive} ;;
  stop) ${killing("stop", stop)} ${stop} ;;
  daemon-reload) ${killing("place", ":")} ;;
  restart)
    ${killing("start", ":")}
    ${stop}
    mkdir -p '${root}/var/lib/mayday' && chown mayday '${root}/var/lib/mayday'
    ${serve} >>'${at}/log' 2>&1 </dev/null &
    echo $! >'${at}/pid'
    until '${at}/real' healthcheck --url http://127.0.0.1:${this.port} >/dev/null 2>&1; do
      ${alive} || { echo 'Job for mayday.service failed.' >&2; exit 1; }
      sleep 0.1
    done ;;
esac`,
    );
  }

  /** Runs a script with this shell; its output, once it ended with `code`. */
  run(shell, script, ...words) {
    const { code = 0, ...more } = typeof words.at(-1) === "object" ? words.pop() : {};
    const { status, all } = run(shell, this.folder, script, ...words, { DESTDIR: this.root, MAYDAY_BIN: "", ...more });
    assert.equal(status, code, `${script}: ${all}${this.log()}`);
    return all;
  }

  /** Types a line that a script has printed, and says yes to what it asks. */
  type(line, more = {}) {
    const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { env: { ...this.environment(), ...more }, cwd: "/", input: "y\n", encoding: "utf8" });
    assert.equal(status, 0, `${line}: ${stdout}${stderr}${this.log()}`);
    return stdout + stderr;
  }

  /** Runs a script in a session of its own that is killed on the way. */
  killed(when, shell, script, ...words) {
    const env = { ...this.environment(), MAYDAY_TEST_AT: when };
    const { signal, status, stdout, stderr } = spawnSync("setsid", [...shell, join(this.folder, script), ...words], { env, encoding: "utf8" });
    assert.equal(signal, "SIGKILL", `${script} was to be killed ${when}, and ended with ${status}: ${stdout}${stderr}`);
  }

  environment() {
    return { PATH: `${this.folder}:${process.env.PATH}`, DESTDIR: this.root };
  }

  log() {
    return existsSync(join(this.at, "log")) ? `\nlog:\n${read(this.at, "log").split("\n").slice(-20).join("\n")}` : "";
  }

  /** What systemd was asked for since the last time. */
  calls() {
    const text = existsSync(join(this.at, "calls")) ? read(this.at, "calls") : "";
    rmSync(join(this.at, "calls"), { force: true });
    return text;
  }

  async ask(method, path, body, expect = 200) {
    const answer = await fetch(this.site + path, {
      method,
      headers: { "content-type": "application/json", connection: "close", ...(this.token && { authorization: `Bearer ${this.token}` }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await answer.text();
    assert.equal(answer.status, expect, `${method} ${path}: ${text}`);
    return JSON.parse(text);
  }

  version = async () => (await this.ask("GET", "/meta")).serverVersion;

  /** Ends the server, and removes everything. */
  end() {
    if (existsSync(join(this.at, "pid"))) {
      try {
        // The session, whose leader has this id.
        process.kill(-Number(read(this.at, "pid")), "SIGKILL");
      } catch {
        // It has ended.
      }
    }
    rmSync(this.at, { recursive: true, force: true });
  }
}
