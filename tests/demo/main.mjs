// Starts a server with data to look at, as `make demo` does.
//
//   node tests/demo/main.mjs --binary PATH [--data DIR] [--listen ADDR] [--seed N] [--events N]
//
// The data directory is made anew each time, and only ever removed if the demo has made it. The
// server runs until Ctrl-C or SIGTERM; the data stays.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Api } from "./api.mjs";
import { fill } from "./fill.mjs";

const owner = { email: "demo@example.com", password: "demo demo demo", organization_name: "Teahouse", name: "Demo" };
/** Says that a directory is the demo's to remove. */
const marker = ".made-by-demo";
const startLimit = 30_000;

const started = performance.now();
const seconds = () => `${((performance.now() - started) / 1_000).toFixed(1)} s`.padStart(7);
const say = (text) => console.log(`${seconds()}  ${text}`);

function options() {
  const { values } = parseArgs({
    options: {
      binary: { type: "string" },
      data: { type: "string", default: "./data-demo" },
      listen: { type: "string", default: "127.0.0.1:8000" },
      seed: { type: "string", default: "1" },
      events: { type: "string", default: "9000" },
    },
  });
  if (!values.binary) throw new Error("--binary: expected the path of the server, such as target/release/mayday");
  const binary = resolve(values.binary);
  if (!existsSync(binary)) throw new Error(`--binary: there is no ${binary}; build it (\`make build\`)`);
  for (const name of ["seed", "events"]) {
    if (!/^\d{1,7}$/.test(values[name])) throw new Error(`--${name}: expected a whole number, got \`${values[name]}\``);
  }
  return { ...values, binary, data: resolve(values.data), seed: Number(values.seed), events: Number(values.events) };
}

/** An empty directory with the marker; one that the demo has not made is left alone. */
function freshDirectory(path) {
  if (existsSync(path) && !existsSync(join(path, marker)) && readdirSync(path).length > 0) {
    throw new Error(`--data: ${path} was not made by the demo; name another directory, or remove it yourself`);
  }
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(join(path, marker), "The demo made this directory and removes it when it starts.\n");
}

/** Fails where something listens already: it may be a demo whose data would be removed beneath it. */
async function checkFree(listen) {
  const at = listen.lastIndexOf(":");
  const probe = createServer();
  try {
    await new Promise((done, failed) => probe.once("error", failed).listen(Number(listen.slice(at + 1)), listen.slice(0, at), done));
  } catch (error) {
    throw new Error(`--listen: ${listen} cannot be had (${error.code ?? error.message}); stop what listens there, or name another`);
  }
  await new Promise((done) => probe.close(done));
}

/** Starts the server; `{child, origin, setupToken, ended}` once it listens. */
async function start({ binary, data, listen }) {
  // All comes from one key within seconds, which is what the limits are there to stop.
  const limits = ["ERRORS_PER_SECOND", "SOURCEMAPS_PER_HOUR", "LOGS_PER_SECOND", "KILOBYTES_PER_SECOND", "DASHBOARD_PER_HOUR"];
  const env = {
    ...process.env,
    SERVICE_ANONYMOUS_TELEMETRY_DISABLED: "1",
    ...Object.fromEntries(limits.map((name) => [`SERVICE_RATE_LIMIT_${name}`, "0"])),
  };
  // A group of its own: Ctrl-C comes to the demo, which ends the server in order.
  const child = spawn(binary, ["serve", "--data-dir", data, "--listen", listen], { env, stdio: ["ignore", "pipe", "inherit"], detached: true });
  process.on("exit", () => child.kill("SIGTERM"));
  const ended = new Promise((done) => {
    child.on("error", (error) => done(error.message));
    child.on("exit", (code, signal) => done(signal ?? `code ${code}`));
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  const limit = Date.now() + startLimit;
  let end;
  void ended.then((how) => (end = how));
  for (;;) {
    const origin = /^Mayday is listening on (http:\S+)$/m.exec(output)?.[1];
    const setupToken = /\/setup#token=([0-9a-f-]+)/.exec(output)?.[1];
    if (origin && setupToken) return { child, origin, setupToken, ended };
    if (end !== undefined) throw new Error(`the server ended (${end}) before it was listening\n${output}`);
    if (Date.now() > limit) throw new Error(`the server does not listen after ${startLimit / 1_000} s\n${output}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function main() {
  const chosen = options();
  await checkFree(chosen.listen);
  freshDirectory(chosen.data);
  const server = await start(chosen);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.child.kill("SIGTERM"));
  say(`a server on ${server.origin}, its data in ${chosen.data}`);

  const claim = { setup_token: server.setupToken, ...owner };
  const { access_token: token } = await new Api(server.origin).post("/auth/setup", claim);
  const filled = await Promise.race([
    fill({ origin: server.origin, token }, { seed: chosen.seed, events: chosen.events, say }),
    server.ended.then((how) => {
      throw new Error(`the server ended (${how})`);
    }),
  ]);

  const lines = filled.projects.map(({ name, issues, events }) => `  ${name}: ${issues} issues, ${events} events`);
  console.log(`
${lines.join("\n")}

  ${server.origin}
  e-mail    ${owner.email}
  password  ${owner.password}

Worth a look in Storefront: the escalating OutOfStockError, the TypeError that came back after it was
resolved (is:regressed), the CheckoutError with its causes, the CatalogImportError with its long title,
and the issues of 2.4.1, 2.6.2-hotfix, 2.7.0-beta.1 and 2.7.0-canary.4, whose frames say why they are
not resolved. Its logs stand beside each error of the last three days.
Ctrl-C ends it; the data stays until the next demo.
`);
  const how = await server.ended;
  if (how !== "code 0") throw new Error(`the server ended (${how})`);
}

main().catch((error) => {
  console.error(`demo: ${error.message}`);
  process.exit(1);
});
