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
import { median } from "./report.mjs";
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

const ratio = (one, other) => (median(one) / median(other)).toFixed(2);
const spread = (values, unit, digits = 0) =>
  `${median(values).toFixed(digits)} ${unit} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;

function table(about, { intake, frames, costs }) {
  const rows = [
    ["replays taken, as sent (gzip)", spread(intake.wire, "MB/s", 1), `${ratio(intake.wire, intake.disk)} of the disk`],
    ["replays taken, decompressed", spread(intake.plain, "MB/s", 1), `${ratio(intake.stored, intake.synced)} of files of that size, each synced (stored bytes)`],
    ["the disk: one file, written and synced", spread(intake.disk, "MB/s"), "–"],
    ["the disk: files as large as ours, each synced", spread(intake.synced, "MB/s", 1), "–"],
    ["a minute of replay, stored", `${(frames.stored / 1_000).toFixed(1)} kB`, `${(frames.stored / frames.json).toFixed(3)} of its JSON`],
    ["player: first frame of 1 minute", spread(frames.short, "ms"), `${ratio(frames.short, frames.reference)} of a page of plain text`],
    ["player: first frame of 60 minutes", spread(frames.long, "ms"), `${ratio(frames.long, frames.short)} of 1 minute`],
    ["player: a moment late in 60 minutes", spread(frames.late, "ms"), `${ratio(frames.late, frames.short)} of 1 minute`],
    ["player: longest time between two frames, 60 minutes", spread(frames.stops.long, "ms"), `${ratio(frames.stops.long, frames.stops.short)} of 1 minute`],
    ...costRows(costs),
  ];
  return [
    `${about.version}, ${about.binary}, Web app ${about.web ?? "built in"}; ${about.cores} cores; median (least to most) of ${about.rounds} rounds`,
    "",
    "| | measured | ratio |",
    "|---|---|---|",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
  ].join("\n");
}

function costRows({ none, mayday, peer, without }) {
  const added = (values) => values.map((value, at) => value - none[at]);
  const rows = [
    ["a page at work without a client: CPU of its main thread", spread(none, "ms"), "–"],
    ["Mayday with replay: CPU of the main thread, added", spread(added(mayday.busy), "ms"), `${ratio(added(mayday.busy), none)} of the page's own`],
    ["Mayday with replay: scripts, compressed", `${(mayday.bytes / 1_000).toFixed(1)} kB`, "–"],
  ];
  if (!peer) return [...rows, ["@sentry/browser with replay", `not measured: ${without}`, "–"]];
  return [
    ...rows,
    ["@sentry/browser with replay: CPU of the main thread, added", spread(added(peer.busy), "ms"), `Mayday ÷ Sentry: ${ratio(added(mayday.busy), added(peer.busy))}`],
    ["@sentry/browser with replay: scripts, compressed", `${(peer.bytes / 1_000).toFixed(1)} kB`, `Mayday ÷ Sentry: ${(mayday.bytes / peer.bytes).toFixed(2)}`],
  ];
}

main().catch((error) => {
  console.error(`bench: ${error.stack ?? error.message}`);
  process.exit(1);
});
