// Measures session replays, as `make bench` does, and prints a table: what the server takes beside the disk alone, what a
// minute occupies, when the player shows the first frame and for how long it stops its page, and what recording costs a
// page beside another recorder.
// Nothing here fails because of a time. What is compared runs in turn, and claims are ratios within one run.
//
//   node tests/browser/bench/replays.mjs [--binary PATH] [--web DIR] [--rounds N] [--json FILE]
//
// The other recorder (`peers/`) is fetched from npm the first time; without it that part is left out, and the report says so.

import { existsSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { table } from "./replays/table.mjs";
import { execFileSync } from "../../limited.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const said = (text) => console.error(text);

function options() {
  const { values } = parseArgs({
    options: {
      binary: { type: "string", default: join(root, "target", "release", "mayday") },
      web: { type: "string" },
      rounds: { type: "string", default: "5" },
      json: { type: "string" },
    },
  });
  const binary = resolve(values.binary);
  if (!existsSync(binary)) throw new Error(`--binary: there is no ${binary}; build it (\`make build\`) or name another`);
  if (!/^[1-9]\d?$/.test(values.rounds)) throw new Error(`--rounds: expected a whole number from 1 to 99, got \`${values.rounds}\``);
  return { ...values, binary, web: values.web && resolve(values.web), rounds: Number(values.rounds) };
}

async function main() {
  const chosen = options();
  // The modules below read these when they are loaded.
  process.env.MAYDAY_BIN = chosen.binary;
  if (chosen.web) process.env.MAYDAY_WEB_DIST = chosen.web;
  const { Server } = await import("../server.mjs");
  const { closeBrowser } = await import("../chromium.mjs");
  const { intake } = await import("./replays/intake.mjs");
  const { frames } = await import("./replays/frames.mjs");
  const { costs } = await import("./replays/costs.mjs");

  const server = await Server.start();
  try {
    const bench = { server, rounds: chosen.rounds, said };
    const figures = { intake: await intake(bench), frames: await frames(bench), costs: await costs(bench) };
    const version = execFileSync(chosen.binary, ["--version"], { encoding: "utf8" }).trim();
    console.log(table({ version, ...chosen, cores: cpus().length }, figures));
    if (chosen.json) writeFileSync(chosen.json, `${JSON.stringify({ version, ...chosen, ...figures }, null, 2)}\n`);
  } finally {
    await closeBrowser();
    await server.stop();
  }
}

main().catch((error) => {
  console.error(`bench: ${error.stack ?? error.message}`);
  process.exit(1);
});
