// What a step's output says of its tests, whichever runner printed it.

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal
const COLOURS = /\u001b\[[0-9;]*m/g;

/** One rule a runner: what its summary says was run, and what was skipped. nextest and libtest also count what was not
 * asked for, which is no skip. */
const SUMMARIES = [
  { tests: /^test result: \w+\. (\d+) passed; (\d+) failed/gm, skipped: /^test result: .*?(\d+) ignored/gm },
  { tests: /^ +Summary \[.*?\] +(\d+)(?:\/\d+)? tests? run/gm },
  { tests: /^ +(\d+) (?:passed \(|failed$|flaky$|did not run$)/gm, skipped: /^ +(\d+) skipped$/gm },
  { tests: /^ +Tests +.*?(\d+) passed/gm, skipped: /^ +Tests +.*?(\d+) skipped/gm },
  { tests: /^ℹ (?:pass|fail) (\d+)/gm, skipped: /^ℹ skipped (\d+)/gm },
];

const FAILURE =
  /^test .* \.\.\. FAILED$|^ +(?:FAIL|TIMEOUT|SIG[A-Z]+) \[|^ +\d+\) |^ *✖ |^ *not ok |panicked at |^error(?:\[E\d+\])?:|^Diff in |^make.*\*\*\*|^(?:HANGS|NOT RUN): |^ +FAIL |^ *✘ /;
const FLAKY = [/^ +FLAKY .*?\] +(?:\([^)]*\) +)?(\S+ \S+)/, /^FLAKY: (.*)$/];

const sum = (text, pattern) => {
  let all = 0;
  for (const [, ...numbers] of text.matchAll(pattern ?? /$^/g)) all += numbers.reduce((total, number) => total + Number(number ?? 0), 0);
  return all;
};

/** Playwright lists the flaky ones beneath their number. */
function ofPlaywright(lines) {
  const at = lines.findIndex((line) => /^ +\d+ flaky$/.test(line));
  if (at < 0) return [];
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !/^ {4}\S/.test(line));
  return rest.slice(0, end < 0 ? undefined : end).map((line) => line.trim());
}

/** @param {string} output */
export function count(output) {
  const text = output.replace(COLOURS, "").replaceAll("\r", "");
  const lines = text.split("\n");
  const matching = (patterns) => patterns.flatMap((pattern) => lines.map((line) => pattern.exec(line)?.[1]).filter(Boolean));
  return {
    tests: SUMMARIES.reduce((all, { tests }) => all + sum(text, tests), 0),
    skipped: SUMMARIES.reduce((all, { skipped }) => all + sum(text, skipped), 0),
    flaky: [...new Set([...matching(FLAKY), ...ofPlaywright(lines)])],
    untried: [...new Set(lines.map((line) => line.trim()).filter((line) => line.startsWith("NOT TRIED: ")))],
    failures: [...new Set(lines.filter((line) => FAILURE.test(line)))].slice(0, 60).map((line) => line.slice(0, 240)),
  };
}
