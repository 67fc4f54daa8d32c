// Measures the Web app in Chromium, as `make bench-web` does, and prints a table. Nothing here fails because of a time.
//
//   node tests/browser/bench/main.mjs [--binary PATH] [--web DIR] [--issues N] [--runs N] [--json FILE]
//
// The server listens on loopback and starts with an empty data directory, which is removed at the end.

import { existsSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { report } from "./report.mjs";
import { execFileSync } from "../../limited.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");

function options() {
  const { values } = parseArgs({
    options: {
      binary: { type: "string", default: join(root, "target", "release", "mayday") },
      web: { type: "string" },
      issues: { type: "string", default: "3000" },
      runs: { type: "string", default: "7" },
      json: { type: "string" },
    },
  });
  const binary = resolve(values.binary);
  if (!existsSync(binary)) throw new Error(`--binary: there is no ${binary}; build it (\`make build\`) or name another`);
  for (const name of ["issues", "runs"]) {
    if (!/^[1-9]\d{0,4}$/.test(values[name])) throw new Error(`--${name}: expected a whole number from 1 to 99999, got \`${values[name]}\``);
  }
  return { ...values, binary, web: values.web && resolve(values.web), issues: Number(values.issues), runs: Number(values.runs) };
}

const said = (text) => console.error(text);

async function main() {
  const chosen = options();
  // The modules below read these when they are loaded.
  process.env.MAYDAY_BIN = chosen.binary;
  if (chosen.web) process.env.MAYDAY_WEB_DIST = chosen.web;
  const { Server } = await import("../server.mjs");
  const { closeBrowser } = await import("../chromium.mjs");
  const { makeData } = await import("./data.mjs");
  const { measure } = await import("./measure.mjs");

  const server = await Server.start();
  try {
    said(`${chosen.binary} on ${server.origin}; filling it`);
    const project = await makeData(server, chosen.issues);
    const figures = await measure({ server, project, runs: chosen.runs, said });
    const version = execFileSync(chosen.binary, ["--version"], { encoding: "utf8" }).trim();
    const about = { version, binary: chosen.binary, web: chosen.web ?? "built in", cores: cpus().length, issues: chosen.issues, runs: chosen.runs };
    console.log(report(about, figures));
    if (chosen.json) writeFileSync(chosen.json, `${JSON.stringify({ ...about, ...figures }, null, 2)}\n`);
  } finally {
    await closeBrowser();
    await server.stop();
  }
}

main().catch((error) => {
  console.error(`bench: ${error.message}`);
  process.exit(1);
});
