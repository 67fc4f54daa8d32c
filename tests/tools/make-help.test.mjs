// `make help` is the list of what people call.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { spawnSync } from "../limited.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const makefile = readFileSync(join(root, "Makefile"), "utf8").replaceAll("\\\n", " ");
/** The targets of each `.PHONY`: those that people call, then the parts of these. */
const [called, ...parts] = [...makefile.matchAll(/^\.PHONY:(.*)$/gm)].map(([, names]) => names.trim().split(/\s+/));

function help() {
  // Not with what the `make` that runs this file has set.
  const env = { PATH: process.env.PATH };
  const { status, stdout, stderr } = spawnSync("make", ["--silent", "help"], { cwd: root, env, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout.split("\n").filter((line) => line !== "");
}

test("each target that people call has a line in the help, in the order of the Makefile", () => {
  const names = help().map((line) => /^make ([a-z-]+)/.exec(line)?.[1]);
  assert.deepEqual(names, called.filter((name) => name !== "help"));
});

test("the lines of the help are aligned and within 100 columns", () => {
  const lines = help();
  const columns = lines.map((line) => /^make [a-z-]+(?: VERSION=X\.Y\.Z)? {2,}(?=\S)/.exec(line)?.[0].length);
  assert.deepEqual(columns, lines.map(() => columns[0]));
  assert.deepEqual(lines.filter((line) => line.length > 100), []);
});

test("a target of the Makefile is called by people, or a part of one that is", () => {
  const targets = [...makefile.matchAll(/^([a-z][a-z-]*):(?!=)/gm)].map(([, name]) => name);
  assert.deepEqual(targets.filter((name) => ![called, ...parts].flat().includes(name)), []);
});
