// The table. A figure stands beside its goal and beside the reference of the same run.

export const median = (values) => {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
};

const ms = (values) => `${Math.round(median(values))} ms (${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))})`;
const ratio = (values, reference) => (median(values) / median(reference)).toFixed(2);

export function report(about, { first, slow, clicks }) {
  const timed = (name, goal, values, reference) => [name, goal, ms(values), ratio(values, reference)];
  const rows = [
    ["first load of the list: on the wire", "250 kB", `${(median(first.bytes) / 1_000).toFixed(1)} kB`, "–"],
    ["first load of the list: requests", "–", String(median(first.requests)), "–"],
    timed("first load: rows painted", "600 ms", first.rows, first.reference),
    timed("first load at 4 × slower CPU, 10 Mbit/s, 40 ms: rows painted", "2,000 ms", slow.rows, slow.reference),
    timed("an issue, from click to stack painted", "100 ms", clicks.issue, clicks.reference),
    timed("an older event, from key to stack painted", "100 ms", clicks.older, clicks.reference),
    timed("the next issue, from J to title painted", "100 ms", clicks.next, clicks.reference),
    timed("a search, from Enter to rows painted", "100 ms", clicks.search, clicks.reference),
  ];
  const kinds = Object.entries(first.kinds).map(([kind, { bytes, requests }]) => `${kind} ${(bytes / 1_000).toFixed(1)} kB in ${requests}`);
  return [
    `${about.version}, ${about.binary}, Web app ${about.web}; ${about.cores} cores; ${about.issues} issues; median (least to most) of ${about.runs} runs`,
    `reference: ${ms(first.reference)}; slow ${ms(slow.reference)}; fixed work between clicks ${ms(clicks.reference)}`,
    "",
    "| | goal | measured | ÷ reference |",
    "|---|---|---|---|",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    "",
    `on the wire: ${kinds.join("; ")}`,
  ].join("\n");
}
