// The README's way to a first error, taken from the README and run as a reader runs it.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./programs.mjs";
import { owner, Server } from "./server.mjs";
import { after, before, test } from "./suite.mjs";

const run = promisify(execFile);
let server;
let folder;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "mayday-readme-"));
  server = await Server.start({ claim: false });
});
after(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The section between the markers of a name, and what follows it. */
function marked(name) {
  const text = readFileSync(join(root, "README.md"), "utf8");
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  for (const marker of [start, end]) {
    assert.equal(text.split(marker).length, 2, `README.md must have the marker ${marker} once`);
  }
  const [section, rest] = text.split(start)[1].split(end);
  assert.ok(rest !== undefined, `README.md: ${start} comes before ${end}`);
  return { section, rest };
}

/** The commands of a section. */
function commands(section) {
  const blocks = fenced(section, "sh");
  assert.ok(blocks.length > 0, "README.md has no ```sh block between the markers");
  return blocks.join("\n");
}

const fenced = (text, language) =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter((match) => match[1] === language).map((match) => match[2]);

/**
 * What goes before the commands: nothing that changes them, only that a refused request ends them
 * (a reader would see the refusal).
 */
const prelude = `
set -euo pipefail
curl() { command curl --fail-with-body "$@"; }
`;

/** The JSON values that stand one after the other in a text. */
async function valuesIn(text) {
  const child = run("jq", ["--slurp", "--compact-output", "."]);
  child.child.stdin.end(text);
  return JSON.parse((await child).stdout);
}

test("the README's commands lead to a resolved error and to a log entry, as the README shows them", async () => {
  const { section, rest } = marked("first-error");
  // The reader's shell stands where the server was started, with its data in ./data.
  symlinkSync(server.dataDir, join(folder, "data"));
  const env = { PATH: process.env.PATH, HOME: folder, MAYDAY: server.origin };
  const script = prelude + commands(section) + commands(marked("logs").section);
  const { stdout } = await run("bash", ["--norc", "--noprofile", "-c", script], { env, cwd: folder }).catch((error) => {
    throw new Error(`the README's commands ended with ${error.code}\n${error.stdout}\n${error.stderr}`);
  });

  const values = await valuesIn(stdout);
  const frames = values.filter((value) => value?.file !== undefined);
  assert.ok(frames.length > 0, `no resolved frame is printed:\n${stdout}`);
  for (const frame of frames) {
    assert.equal(typeof frame.function, "string");
    assert.ok(Number.isInteger(frame.line) && Number.isInteger(frame.column));
    assert.ok(frame.context_line.length > 0);
  }
  const issue = values.find((value) => value?.title !== undefined);
  assert.ok(issue, `no issue is printed:\n${stdout}`);
  assert.equal(issue.event_count, 1);

  const [shown] = fenced(rest, "json");
  assert.ok(shown, "README.md shows no answer (a ```json block) after the commands");
  assert.deepEqual(frames[0], JSON.parse(shown), "the answer is the one that the README shows");

  const entry = values.find((value) => value?.message?.startsWith("Payment 4711"));
  assert.ok(entry, `no log entry is printed:\n${stdout}`);
  assert.equal(entry.level, "error");
});

test("the README's sign-in needs what it says to fill in, and says so otherwise", async () => {
  const claimed = await Server.start();
  try {
    const { section } = marked("sign-in");
    const env = { PATH: process.env.PATH, HOME: folder, MAYDAY: claimed.origin };
    const print = `${commands(section)}\necho "token:$TOKEN"`;
    const shell = (script) => run("bash", ["--norc", "--noprofile", "-c", script], { env, cwd: folder });
    const fill = (text, name) => text.replace(`"${name}": "…"`, `"${name}": "${owner[name]}"`);
    const filled = fill(fill(print, "email"), "password");
    assert.ok(!filled.includes("…"), filled);
    const token = (await shell(filled)).stdout.trim().replace("token:", "");
    assert.equal((await claimed.request("/api/v1/me", { token })).email, owner.email);

    const { stdout, stderr } = await shell(print);
    assert.equal(stdout, "token:\n", "nothing is taken for a token");
    assert.match(stderr, /jq: error.*: \w+/, "the refusal is shown");
  } finally {
    await claimed.stop();
  }
});
