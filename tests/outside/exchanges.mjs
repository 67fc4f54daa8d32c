// What the server asked of the stand-ins of the API tests (tests/support/outside.rs) and told the receivers of alerts, and what
// they answered, as those tests wrote it down: `make exchanges`.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../browser/programs.mjs";

const folder = process.env.MAYDAY_EXCHANGES ?? join(root, "target", "exchanges");

/** Each `{method, path, body, status, answer}`; paths have their query. */
export function exchanges() {
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return files.flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line));
}

/** Calls `hold` with each; says all that was wrong, each thing once, with an exchange that shows it. */
export function holdAll(list, hold) {
  const wrong = new Map();
  for (const one of list) {
    for (const problem of hold(one)) if (!wrong.has(problem)) wrong.set(problem, one);
  }
  const lines = [...wrong].map(([problem, one]) => `${one.method} ${one.path} (${one.status}): ${problem}\n  ${JSON.stringify(one.answer)}`);
  if (lines.length > 0) throw new Error(`${lines.length} do not fit the document:\n${lines.join("\n")}`);
}
