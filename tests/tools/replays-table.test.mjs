// The table that the measurements of session replays print.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inTurn, table } from "../browser/bench/replays/table.mjs";

const about = { version: "mayday 0", binary: "mayday", cores: 2, rounds: 3 };
const intake = { wire: [3, 4, 5], plain: [40, 50, 60], stored: [4, 4, 4], disk: [200, 210, 220], synced: [30, 40, 50] };
const times = [100, 200, 300];
const frames = { stored: 6_000, json: 60_000, short: times, long: times, late: times, reference: times, stops: { short: times, long: times } };
const none = [2_000, 1_000, 3_000];
const mayday = { busy: [2_500, 1_600, 3_900], bytes: 34_500 };

const row = (text, name) => {
  const line = text.split("\n").find((each) => each.startsWith(`| ${name} |`));
  assert.ok(line, `no row \`${name}\` in:\n${text}`);
  return line.split(" | ").slice(1).join(" | ").replace(/ \|$/, "");
};

test("what the disk alone writes and what is taken as sent have their rows", () => {
  const text = table(about, { intake, frames, costs: { none, mayday, without: "no network" } });
  assert.equal(row(text, "the disk: one file, written and synced"), "210 MB/s (200 to 220) | –");
  assert.equal(row(text, "replays taken, as sent (gzip)"), "4.0 MB/s (3.0 to 5.0) | 0.02 of the disk");
  assert.equal(row(text, "@sentry/browser with replay"), "not measured: no network | –");
});

test("two recorders are compared within each round", () => {
  const peer = { busy: [2_600, 1_500, 4_400], bytes: 65_100 };
  const text = table(about, { intake, frames, costs: { none, mayday, peer } });
  assert.equal(row(text, "Mayday less Sentry, within a round"), "-100 ms (-500 to 100) | Mayday took more in 1 of 3 rounds");
  assert.equal(row(text, "@sentry/browser with replay: CPU of the main thread, added").split(" | ")[1], "Mayday ÷ Sentry: 1.00");
});

test("in every other round, the first one included, the last comes first", () => {
  const all = ["none", "Mayday", "Sentry"];
  const first = [0, 1, 2, 3].map((round) => inTurn(all, round)[0]);
  assert.deepEqual(first, ["Sentry", "none", "Sentry", "none"]);
  assert.deepEqual(all, ["none", "Mayday", "Sentry"]);
});
