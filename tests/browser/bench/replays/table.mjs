// The table of the figures of session replays, and in which order what is compared takes its turns.

import { median } from "../report.mjs";

/** Backwards in every other round, the first one included: what comes first or last is not always the same. */
export const inTurn = (all, round) => (round % 2 === 0 ? all.toReversed() : all);

const ratio = (one, other) => (median(one) / median(other)).toFixed(2);
const spread = (values, unit, digits = 0) =>
  `${median(values).toFixed(digits)} ${unit} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;

export function table(about, { intake, frames, costs }) {
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
  // What else the machine does in a round, it does to both.
  const differences = mayday.busy.map((value, at) => value - peer.busy[at]);
  const dearer = differences.filter((value) => value > 0).length;
  return [
    ...rows,
    ["@sentry/browser with replay: CPU of the main thread, added", spread(added(peer.busy), "ms"), `Mayday ÷ Sentry: ${ratio(added(mayday.busy), added(peer.busy))}`],
    ["Mayday less Sentry, within a round", spread(differences, "ms"), `Mayday took more in ${dearer} of ${differences.length} rounds`],
    ["@sentry/browser with replay: scripts, compressed", `${(peer.bytes / 1_000).toFixed(1)} kB`, `Mayday ÷ Sentry: ${(mayday.bytes / peer.bytes).toFixed(2)}`],
  ];
}
