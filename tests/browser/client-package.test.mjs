// The package `mayday-client`, packed and installed as its users do it: in Node, with its types, and in a bundle.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { root } from "./programs.mjs";
import { sharedServer, until } from "./server.mjs";
import { after, before, test } from "./suite.mjs";

const run = promisify(execFile);
const assets = join(root, "assets");
const env = { PATH: process.env.PATH, HOME: tmpdir(), npm_config_update_notifier: "false" };
let server;
let folder;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "mayday-package-"));
  server = await sharedServer();
  const packed = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: join(assets, "client"), env });
  const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf("[\n")));
  const names = files.map(({ path }) => path);
  for (const name of ["LICENSE", "README.md", "package.json", "dist/index.js", "dist/index.d.ts", "dist/node.js", "dist/node.cjs", "dist/node.d.cts"]) {
    assert.ok(names.includes(name), `${name} is packed: ${names}`);
  }
  assert.ok(!names.some((name) => /test|\.ts$/.test(name) && !/\.d\.ts$/.test(name)), names.join());
  write("package.json", JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${filename}`], { cwd: folder, env });
});
after(() => {
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const write = (name, text) => writeFileSync(join(folder, name), text);

/** Runs a program that starts the client, and answers how it ended. */
async function node(project, name, text, head = `import * as mayday from "mayday-client";`) {
  write(name, `${head}
    mayday.init({ key: "${project.key}", url: "${server.origin}", release: "3.0.0", environment: "test" });
    ${text}`);
  const { code, stdout, stderr } = await run(process.execPath, [join(folder, name)], { env, timeout: 60_000 }).catch((error) => error);
  return { code: code ?? 0, stdout, stderr };
}

async function onlyEvent(project) {
  const { issues } = await project.issuesOf(1);
  const { events } = await server.request(`/api/v1/projects/${project.id}/issues/${issues[0].id}/events`);
  assert.equal(events.length, 1);
  return project.event(events[0].event_id);
}

const hasLogs = (project, count) =>
  until(`${count} log entries`, async () => {
    const { logs } = await server.request(`/api/v1/projects/${project.id}/logs`);
    return logs.length >= count ? logs : undefined;
  });

test("its version is the server's", () => {
  const { version } = JSON.parse(readFileSync(join(assets, "client/package.json"), "utf8"));
  assert.match(readFileSync(join(root, "Cargo.toml"), "utf8"), new RegExp(`^version = "${version}"$`, "m"));
});

test("an error that ends a program arrives, and the program ends as it would", async () => {
  const project = await server.project("node uncaught");
  const { code, stderr, stdout } = await node(project, "throws.mjs", `
    mayday.logger.warn\`before \${{ step: 2 }}\`;
    process.on("exit", (code) => console.log("exit", code));
    setTimeout(() => { throw new RangeError("too far", { cause: new Error("why") }) });
    setInterval(() => {}, 1000);`);
  assert.equal(code, 1);
  assert.equal(stdout, "exit 1\n");
  assert.match(stderr, /RangeError: too far\n\s+at [^]*throws\.mjs/);
  const event = await onlyEvent(project);
  assert.equal(event.exception.type, "RangeError");
  assert.equal(event.exception.cause.message, "why");
  assert.deepEqual(event.exception.mechanism, { type: "onuncaughtexception", handled: false });
  assert.equal(event.platform, "node");
  assert.equal(event.sdk.name, "mayday.node");
  assert.equal(event.contexts.runtime.version, process.version);
  const [log] = await hasLogs(project, 1);
  assert.equal(log.template, "before {step}");
  assert.equal(log.trace_id, event.trace_id);
});

test("a rejection that nobody handles arrives, and required the package is the same", async () => {
  const project = await server.project("node rejection");
  const text = `void Promise.reject(new TypeError("unhandled"));`;
  const { code } = await node(project, "rejects.cjs", text, `const mayday = require("mayday-client");`);
  assert.equal(code, 1);
  const { exception } = await onlyEvent(project);
  assert.equal(exception.type, "TypeError");
  assert.deepEqual(exception.mechanism, { type: "onunhandledrejection", handled: false });
});

test("whoever handles errors themselves goes on, with what was reported", async () => {
  const project = await server.project("node handled");
  const { code, stdout } = await node(project, "handles.mjs", `
    process.on("uncaughtException", () => setTimeout(() => console.log("going on")));
    setTimeout(() => { throw new Error("survived") });`);
  assert.deepEqual([code, stdout], [0, "going on\n"]);
  assert.equal((await onlyEvent(project)).exception.message, "survived");
});

test("a program that ends sends its logs first, and is not kept alive for them", async () => {
  const project = await server.project("node ends");
  const { code } = await node(project, "ends.mjs", `
    const header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await mayday.withTrace(header, async () => {
      await Promise.resolve();
      mayday.logger.info("in a trace");
    });
    mayday.withTrace(undefined, () => mayday.logger.info("in a new one"));`);
  assert.equal(code, 0);
  const traces = new Map((await hasLogs(project, 2)).map(({ message, trace_id: trace }) => [message, trace]));
  assert.equal(traces.get("in a trace"), "0af7651916cd43dd8448eb211c80319c");
  assert.match(traces.get("in a new one"), /^(?!0af7)[0-9a-f]{32}$/);
});

test("without a server a program still ends, in time", async () => {
  const { code } = await node({ key: "pk_x" }, "alone.mjs", `
    await mayday.close();
    mayday.init({ key: "pk_x", url: "http://127.0.0.1:9" });
    mayday.logger.info("nobody hears");
    mayday.captureMessage("nobody sees");`);
  assert.equal(code, 0);
});

const typed = `import { type Breadcrumb, type MaydayEvent, type Options, captureException, init, logger, setUser } from "mayday-client";
const options: Options = { key: "pk_1", url: "https://mayday.example", ignore: [/x/, "y"], breadcrumbs: ["click"],
  beforeSend: (event: MaydayEvent) => (event.url === undefined ? null : event) };
const started: boolean = init(options);
const crumb: Breadcrumb = { category: "cart", level: "info" };
logger.info\`Order \${{ order: 5 }}\`;
logger.warn("Order {order}", { order: 5 });
setUser(null);
const id: string | undefined = captureException(new Error("x"), { level: "fatal", tags: { a: 1 } });
// @ts-expect-error a level that there is not
captureException("x", { level: "loud" });
export { started, crumb, id };
`;

test("its types hold in strict projects, of Node and of bundlers", async () => {
  write("typed.ts", typed);
  write("typed.mts", `${typed}import { withTrace } from "mayday-client";\nexport const n: number = withTrace(undefined, () => 1);\n`);
  write("typed.cts", `import mayday = require("mayday-client");\nexport const ok: boolean = mayday.init({ key: "k", url: "u" });\n`);
  const tsc = join(assets, "node_modules/typescript-native/bin/tsc");
  const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--lib", "es2022"];
  const check = (...words) =>
    run(process.execPath, [tsc, ...strict, ...words], { cwd: folder, env }).catch(({ stdout }) => assert.fail(stdout));
  await check("--module", "nodenext", "typed.mts", "typed.cts");
  await check("--module", "esnext", "--moduleResolution", "bundler", "--customConditions", "browser", "typed.ts");
});

test("bundled by Vite it is small, and what is not used is left out", async () => {
  symlinkSync(join(assets, "node_modules/vite"), join(folder, "node_modules/vite"), "dir");
  write("build.mjs", `import { build } from "vite";
    for (const name of ["uses", "unused"]) await build({ configFile: false, logLevel: "error",
      build: { outDir: "out-" + name, lib: { entry: name + ".js", formats: ["es"], fileName: "out" }, minify: true } });`);
  write("uses.js", `import { init, logger } from "mayday-client"; init({ key: "k", url: "u" }); logger.info\`x\`;`);
  write("unused.js", `import { init } from "mayday-client"; console.log("without it");`);
  await run(process.execPath, ["build.mjs"], { cwd: folder, env });
  const built = (name) => {
    const out = join(folder, `out-${name}`);
    return readdirSync(out).map((file) => readFileSync(join(out, file), "utf8")).join("");
  };
  assert.ok(brotliCompressSync(built("uses")).length < 6_500, `${brotliCompressSync(built("uses")).length} bytes`);
  assert.doesNotMatch(built("uses"), /async_hooks|process\./);
  assert.ok(built("unused").length < 100, built("unused").slice(0, 200));
});
