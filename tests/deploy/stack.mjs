// A host for the whole stack: podman with a storage and networks of its own, images made of programs of this machine, and a folder
// of scripts. There is no registry: an image named localhost/registry/NAME is what a pull of localhost/NAME fetches.
//
// MAYDAY_TEST_AT ends a script with SIGKILL, its whole process group, `before` or `after` (or `during`) one of its
// steps: "before migrate", "after stop"; or that step fails: "failing pull".

import assert from "node:assert/strict";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "./programs.mjs";
import { cannot, lacks } from "./untried.mjs";
import { install as installVenv, programs as ofVenv } from "./venv.mjs";
import { execFileSync, spawnSync } from "../limited.mjs";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
/** What one run has of its own, so that another may go on beside it. */
export const name = `mayday-test-${process.pid}`;
const ports = [await freePort(), await freePort()];
const network = `172.30.${process.pid % 250}`;
export const site = `http://localhost:${ports[0]}`;
/** With a certificate of Caddy's own authority. */
export const secureSite = `https://localhost:${ports[1]}`;
/** This host, as the containers see it. */
export const host = `${network}.1`;
export const owner = { email: "ada@example.net", password: 'a long "pass\\phrase"', name: "Ada", organization_name: "Acme" };
export const binary = process.env.MAYDAY_BIN ?? join(root, "target", "debug", "mayday");
const postgres = "/usr/lib/postgresql/15";

const found = (program) => spawnSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).stdout.trim();
const notFound = (...programs) => {
  const missing = programs.filter((program) => !found(program));
  return missing.length > 0 && `not installed: ${missing.join(", ")}`;
};
const withoutRoot = process.getuid() !== 0 && "only root can run it";

/** Why `what`, which runs containers, cannot be tried here; false if it can. */
export const withoutContainers = (what) =>
  cannot(what, withoutRoot) || lacks(what, notFound("podman", "runc", "busybox")) || lacks(what, !existsSync("/usr/lib/podman/netavark") && "not installed: netavark");

/** Why the whole stack cannot be tried here. */
export const withoutStack = (what) =>
  withoutContainers(what) ||
  lacks(what, notFound("caddy", "curl", "setsid", "iptables")) ||
  lacks(what, !existsSync("/usr/lib/podman/aardvark-dns") && "not installed: aardvark-dns") ||
  cannot(what, probe());

/** Why agents in containers cannot be tried here. */
export const withoutAgents = (what) => withoutContainers(what) || lacks(what, notFound("git", "catatonit", "iptables")) || cannot(what, probe());

/** Why the gateway's database cannot be tried here. */
export const withoutDatabase = (what) => lacks(what, !existsSync(`${postgres}/bin/postgres`) && "not installed: postgresql-15");

const PREFIX = "mayday-stack-";
const work = mkdtempSync(join(tmpdir(), PREFIX));
writeFileSync(join(work, "pid"), String(process.pid));
export const inWork = (...names) => join(work, ...names);

export const environment = {
  PATH: `${work}/bin:${ofVenv}:${process.env.PATH}`,
  HOME: process.env.HOME,
  CONTAINERS_CONF: join(work, "containers.conf"),
  CONTAINERS_STORAGE_CONF: join(work, "storage.conf"),
  MAYDAY_ENGINE: join(work, "bin", "engine"),
  MAYDAY_COMPOSE: join(work, "bin", "compose"),
  MAYDAY_CHECK_EMAIL: owner.email,
  MAYDAY_CHECK_PASSWORD: owner.password,
};

const engine = { env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] };
export const podman = (...words) => execFileSync("podman", words, engine);

/** A folder of scripts on this host. */
export class Folder {
  constructor(name) {
    this.path = join(work, name);
    cpSync(join(root, "deploy"), this.path, { recursive: true });
    copyFileSync(join(root, ".env.static.example"), join(this.path, ".env.static.example"));
  }

  read(name) {
    return readFileSync(join(this.path, name), "utf8");
  }

  configure(tag, ...more) {
    const lines = [
      `SITE_ADDRESS=${site}`,
      "SERVICE_TELEMETRY_MODE=self_managed",
      `SERVICE_SERVER_IMAGE_TAG=${tag}`,
      "SERVER_IMAGE=localhost/mayday",
      "SERVICE_CADDY_IMAGE=localhost/mayday-test-caddy:2",
      `SERVICE_STACK_NAME=${name}`,
      `SERVICE_HTTP_PORT=${ports[0]}`,
      `SERVICE_HTTPS_PORT=${ports[1]}`,
      `SERVICE_PROXY_NETWORK=${network}.0/24`,
      ...more,
    ];
    writeFileSync(join(this.path, ".env.static"), `${lines.join("\n")}\n`, { mode: 0o600 });
  }

  /** Runs a script; its output, once it ended with `code`. */
  run(script, ...words) {
    const { code = 0, input, ...more } = typeof words.at(-1) === "object" ? words.pop() : {};
    const { status, stdout, stderr } = spawnSync(join(this.path, script), words, { env: { ...environment, ...more }, encoding: "utf8", input });
    assert.equal(status, code, `${script}: ${stdout}${stderr}${this.logs()}`);
    return stdout + stderr;
  }

  /** What a person types in this folder; its output, once it has succeeded. */
  type(line) {
    const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { cwd: this.path, env: environment, encoding: "utf8" });
    assert.equal(status, 0, `${line}: ${stdout}${stderr}`);
    return stdout + stderr;
  }

  /** Runs a script in a session of its own that is killed on the way. */
  killed(when, script, ...words) {
    const { signal, status, stdout, stderr } = spawnSync("setsid", [join(this.path, script), ...words], { env: { ...environment, MAYDAY_TEST_AT: when }, encoding: "utf8" });
    assert.equal(signal, "SIGKILL", `${script} was to be killed ${when}, and ended with ${status}: ${stdout}${stderr}`);
  }

  /** What the compose command said last, for failures. */
  logs() {
    const files = [".compose.log", ".compose.log.failed"].filter((file) => existsSync(join(this.path, file)));
    return files.map((file) => `\n${file}:\n${this.read(file).split("\n").slice(-20).join("\n")}`).join("");
  }

  /** Ends the stack, its data too. */
  remove() {
    if (existsSync(this.path)) spawnSync(join(this.path, "stop.sh"), ["--yes", "--remove-data"], { env: environment });
  }
}

/** What the engine was called with since the last time. */
export function calls() {
  const file = join(work, "calls");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  rmSync(file, { force: true });
  return text;
}

/** An image of files of this host: programs with their libraries, and whatever else. */
function image(name, programs, { libraries = [], folders = [], text = [], lines = [] } = {}, options = {}) {
  const context = mkdtempSync(join(work, "context-"));
  const put = (from, to = from) => {
    const target = join(context, "root", to);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(from, target, { recursive: true, dereference: true });
  };
  for (const [from, to] of programs) put(from, to);
  for (const from of [...libraries, ...programs.map(([from]) => from)]) {
    const { stdout } = spawnSync("ldd", [from], { encoding: "utf8" });
    for (const [library] of stdout.matchAll(/\/\S+\.so\S*/g)) put(library);
  }
  for (const folder of folders) put(folder);
  for (const [path, content] of text) {
    mkdirSync(dirname(join(context, "root", path)), { recursive: true });
    writeFileSync(join(context, "root", path), content, { mode: 0o755 });
  }
  // Libraries of /lib and of /usr/lib, as this host links them.
  execFileSync("sh", ["-c", 'cd "$1/root" && mkdir -p usr tmp && chmod 1777 tmp && for each in lib lib64 bin; do [ ! -d "$each" ] || { mkdir -p "usr/$each" && cp -a "$each/." "usr/$each/" && rm -r "$each"; }; ln -s "usr/$each" "$each"; done; mkdir -p usr/lib usr/lib64 usr/bin', "sh", context]);
  writeFileSync(join(context, "Dockerfile"), ["FROM scratch", "COPY root/ /", ...lines, ""].join("\n"));
  build(name, context, options);
  rmSync(context, { recursive: true });
}

const build = (name, context, options = {}) => execFileSync("podman", ["build", "--format", "docker", "--isolation=chroot", "--tag", name, context], { ...engine, ...options });

/** An image that differs from another in these lines only. */
export function variant(name, of, ...lines) {
  const context = mkdtempSync(join(work, "context-"));
  writeFileSync(join(context, "Dockerfile"), [`FROM ${of}`, ...lines, ""].join("\n"));
  build(name, context);
  rmSync(context, { recursive: true });
}

const script = (name, text) => {
  mkdirSync(join(work, "bin"), { recursive: true });
  writeFileSync(join(work, "bin", name), `#!/bin/sh\n${text}`);
  chmodSync(join(work, "bin", name), 0o755);
};

/** Runs the real program, and ends the script that called it where it is asked to. */
const killing = (steps, program) => `
at=
case " $* " in
${steps.map(([words, step]) => `  *${words}*) at=${step} ;;`).join("\n")}
  *) ;;
esac
case "$MAYDAY_TEST_AT" in
  "failing $at") echo "$at fails, says the test" >&2; exit 1 ;;
  "before $at") kill -9 0 ;;
  "during $at") ${program} "$@" & sleep 0.5; kill -9 0 ;;
  "after $at") ${program} "$@"; kill -9 0 ;;
esac
exec ${program} "$@"
`;

/** What containers share their image's files by. Without overlays each of them gets a copy. */
function layers() {
  const at = mkdtempSync(join(work, "overlay-"));
  const mounted = spawnSync("sh", ["-c", 'cd "$1" && mkdir lower upper work all && mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work overlay all && umount all', "sh", at]);
  rmSync(at, { recursive: true });
  return mounted.status === 0 ? "overlay" : "vfs";
}

/** Podman with a storage of its own. */
function configureEngine() {
  writeFileSync(environment.CONTAINERS_CONF, `[containers]\ndefault_ulimits=["nofile=1024:1024","nproc=4096:4096"]\n[engine]\nruntime="runc"\ncgroup_manager="cgroupfs"\n[network]\nnetwork_config_dir="${work}/networks"\n`);
  writeFileSync(environment.CONTAINERS_STORAGE_CONF, `[storage]\ndriver="${layers()}"\nrunroot="${work}/run"\ngraphroot="${work}/graph"\n`);
}

/** What `tools/release.sh` makes of the binary: an image of this name. */
function release(what, name, base) {
  execFileSync(join(root, "tools", "release.sh"), [what, name], {
    env: { ...environment, BINARY: binary, BASE: base, ENGINE: "podman", BUILD_FLAGS: "--isolation=chroot" },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** Seconds within which two containers have to find one another. */
const PROBE = 180;

/** Why containers with a network do not run on this machine: what podman says to it. */
function probe() {
  configureEngine();
  const [name, network] = ["localhost/mayday-test-probe:1", "mayday-test-probe"];
  const until = Date.now() + PROBE * 1000;
  const within = () => ({ env: environment, encoding: "utf8", timeout: Math.max(1, until - Date.now()) });
  const steps = [
    ["network", "create", network],
    ["run", "--detach", "--name", "one", "--network", network, name, "/bin/busybox", "sleep", "60"],
    ["run", "--rm", "--network", network, name, "/bin/busybox", "ping", "-c", "1", "-w", "10", "one"],
    ["rm", "--force", "--time", "0", "one"],
    ["network", "rm", network],
  ];
  try {
    image(name, [[found("busybox"), "/bin/busybox"]], {}, within());
    for (const words of steps) {
      const { status, stdout, stderr } = spawnSync("podman", words, within());
      if (status !== 0) return `podman ${words.join(" ")}: ${(stdout + stderr).trim().split("\n").at(-1)}`;
    }
  } catch (error) {
    return error.message.split("\n")[0];
  }
  return false;
}

/** The image for pipelines, on a base with a shell; its name. */
export function prepareCi() {
  configureEngine();
  const [base, name] = ["localhost/mayday-test-shell:1", "localhost/mayday-ci:1"];
  image(base, [[found("busybox"), "/bin/busybox"]], { libraries: [binary], lines: ['RUN ["/bin/busybox", "sh", "-c", "/bin/busybox --install -s /bin"]', "ENV PATH=/usr/local/bin:/bin"] });
  release("ci-image", name, base);
  return name;
}

/** An image for agents, with a shell, git, these scripts, and a user of its own; its name. */
export function prepareAgents(scripts) {
  endOthers();
  configureEngine();
  const name = "localhost/mayday-test-agents:1";
  const users = "root:x:0:0::/root:/bin/sh\nagent:x:1000:1000::/home/agent:/bin/sh\n";
  image(name, [[found("busybox"), "/bin/busybox"], [found("git"), "/bin/git"]], {
    text: [...Object.entries(scripts).map(([name, text]) => [`/agents/${name}`, text]), ["/etc/passwd", users]],
    lines: ['RUN ["/bin/busybox", "sh", "-c", "/bin/busybox --install -s /bin && mkdir -p /root /home/agent && chown 1000:1000 /home/agent"]', "ENV PATH=/bin", "USER agent"],
  });
  return name;
}

/** Prepares the host and its images. */
export function prepare() {
  endOthers();
  configureEngine();
  script("pull", `here=$2\nthere=localhost/registry/\${here#localhost/}\nif podman image exists "$there"; then exec podman tag "$there" "$here"; fi\nexec podman image exists "$here"\n`);
  script("podman-or-pull", '[ "$1" = pull ] && exec pull "$@"\nexec podman "$@"\n');
  script("engine", `echo "$*" >>${work}/calls\n${killing([["' pull '", "pull"]], "podman-or-pull")}`);
  script("compose-or-pull", 'case " $* " in *" pull "*) exit 0 ;; esac\nexec podman-compose "$@"\n');
  script("compose", killing([["' server backup '", "backup"], ["' stop server '", "stop"], ["' server migrate '", "migrate"], ["' server restore '", "restore"], ["' up -d '", "start"]], "compose-or-pull"));
  script("mv", killing([["'/.env.generated '", "secrets"]], found("mv")));
  const base = "localhost/mayday-test-base:1";
  image(base, [], { libraries: [binary] });
  release("image", "localhost/mayday:server-v0.1.0", base);
  variant("localhost/mayday:server-v0.2.0", "localhost/mayday:server-v0.1.0", "ENV MAYDAY_REHEARSAL=0.2.0");
  variant("localhost/mayday:server-v0.3.0", "localhost/mayday:server-v0.1.0", "ENV MAYDAY_REHEARSAL=0.3.0,failing");
  variant("localhost/mayday:server-v0.4.0", "localhost/mayday:server-v0.1.0", "ENV MAYDAY_REHEARSAL=0.4.0,half");
  image("localhost/mayday-test-caddy:2", [[found("caddy"), "/usr/bin/caddy"]], { lines: ["ENV XDG_DATA_HOME=/data XDG_CONFIG_HOME=/config", 'CMD ["/usr/bin/caddy", "run", "--config", "/etc/caddy/Caddyfile"]'] });
  // Made meanwhile, if there was none.
  installVenv();
}

/**
 * The gateway's images: PostgreSQL, and in the place of LiteLLM a server that answers with what it was asked. LiteLLM
 * itself is 700 MB of Python, and its database client needs an engine that is not on PyPI; by hand it was tried behind
 * this Caddyfile and with this gateway.yaml.
 */
export function prepareGateway() {
  const respond = 'exec /usr/bin/caddy respond --listen :4000 --body "gateway: {http.request.method} {http.request.uri}"';
  image("localhost/mayday-test-gateway:1", [[found("caddy"), "/usr/bin/caddy"], [found("busybox"), "/bin/busybox"]], { lines: [`ENTRYPOINT ${JSON.stringify(["/bin/busybox", "sh", "-c", respond, "arguments:"])}`] });
  const tools = ["postgres", "initdb", "psql", "pg_dump", "pg_isready", "createdb", "dropdb"].map((name) => [`${postgres}/bin/${name}`, `${postgres}/bin/${name}`]);
  // As the image of PostgreSQL's project: on the first start a database of that name, whose owner has that password.
  const start = [
    "#!/bin/busybox sh",
    "set -e",
    "cd /var/lib/postgresql/data",
    "if [ ! -f PG_VERSION ]; then",
    '  echo "$POSTGRES_PASSWORD" >/tmp/password',
    '  initdb --auth-local=trust --auth-host=scram-sha-256 --username="$POSTGRES_USER" --pwfile=/tmp/password --encoding=UTF8 --no-locale .',
    '  echo "host all all all scram-sha-256" >>pg_hba.conf',
    '  (until createdb -U "$POSTGRES_USER" "$POSTGRES_DB"; do sleep 0.2; done) 2>/dev/null &',
    "fi",
    "exec postgres -D . -c listen_addresses='*'",
    "",
  ];
  image("localhost/mayday-test-postgres:15", [...tools, [found("busybox"), "/bin/busybox"]], {
    folders: [`${postgres}/lib`, "/usr/share/postgresql/15", "/usr/share/zoneinfo/Etc", "/usr/share/zoneinfo/UTC"].filter(existsSync),
    text: [
      ["/start", start.join("\n")],
      ["/etc/passwd", "root:x:0:0::/:/bin/sh\npostgres:x:999:999::/:/bin/sh\n"],
    ],
    lines: ["RUN [\"/bin/busybox\", \"sh\", \"-c\", \"/bin/busybox --install -s /bin && mkdir -p /var/lib/postgresql/data /var/run/postgresql && chown -R 999:999 /var/lib/postgresql /var/run/postgresql\"]", `ENV PATH=${postgres}/bin:/bin`, "VOLUME /var/lib/postgresql/data", "USER 999:999", 'CMD ["/start"]'],
  });
}

/** Ends what is left of a run, whatever failed before. */
function end(folder) {
  const env = { ...environment, CONTAINERS_CONF: join(folder, "containers.conf"), CONTAINERS_STORAGE_CONF: join(folder, "storage.conf") };
  if (existsSync(env.CONTAINERS_STORAGE_CONF)) {
    const force = ["--all", "--force", "--time", "0"];
    for (const words of [["rm", ...force], ["network", "prune", "--force"], ["umount", "--all", "--force"]]) spawnSync("podman", words, { env });
  }
  // Of a container whose podman was killed while it made it: podman does not know of its processes.
  spawnSync("sh", ["-c", 'for each in $(pgrep -f "^/usr/bin/conmon .*$1/"); do pkill -KILL -P "$each"; kill -KILL "$each"; done', "sh", folder]);
  // The engine mounts the folder of its overlays onto itself.
  for (const at of ["small", "graph/overlay"]) spawnSync("umount", [join(folder, at)]);
  rmSync(folder, { recursive: true, force: true });
}
export const discard = () => end(work);

/** Ends what runs that were ended themselves have left. */
function endOthers() {
  for (const entry of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(tmpdir(), entry);
    const pid = existsSync(join(folder, "pid")) ? readFileSync(join(folder, "pid"), "utf8") : "none";
    // Ids are used again: a run of long ago may have had this one's.
    if (folder !== work && (pid === String(process.pid) || !existsSync(`/proc/${pid}`))) end(folder);
  }
}

// --- The instance -------------------------------------------------------------------------------

let token;
export const signIn = (given) => {
  token = given;
};

export async function ask(method, path, body, expect = 200) {
  const request = {
    method,
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  };
  // A connection that was kept open may have ended with the proxy's last restart.
  const answer = await fetch(site + path, request).catch(() => fetch(site + path, request));
  const text = await answer.text();
  assert.equal(answer.status, expect, `${method} ${path}: ${text}`);
  return JSON.parse(text);
}

export const version = async () => (await ask("GET", "/meta")).serverVersion;

export async function eventually(what, look) {
  for (const start = Date.now(); Date.now() - start < 180_000; ) {
    if (await look().catch(() => false)) return;
    await new Promise((done) => setTimeout(done, 200));
  }
  assert.fail(`waited in vain for ${what}`);
}
