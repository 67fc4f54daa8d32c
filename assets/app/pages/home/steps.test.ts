import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { steps } from "./steps.ts";

const all = steps("https://mayday.example");
/** Every block that is typed as it stands, with the title of its step. */
const blocks = all.flatMap(({ title, command, instead }) =>
  [command, instead].flatMap((text) => (text === undefined ? [] : [{ title, command: text }])),
);

test("every command is shell that parses", () => {
  for (const { title, command } of blocks) {
    expect(() => execFileSync("bash", ["-n"], { input: command, stdio: "pipe" }), title).not.toThrow();
  }
});

test("every JSON body is JSON once the shell has filled in its variables", () => {
  const env = { ...process.env, SETUP_TOKEN: "t", MAYDAY_KEY: "k", MAYDAY_TOKEN: "t", PROJECT: "1" };
  let seen = 0;
  for (const { command } of blocks) {
    // A curl that prints what it was asked to send, one argument a line.
    const shown = execFileSync("bash", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`], { env, encoding: "utf8" });
    const words = shown.split("\0");
    words.forEach((word, index) => {
      if (word !== "-d") return;
      seen += 1;
      expect(() => JSON.parse(words[index + 1] ?? "") as unknown).not.toThrow();
    });
  }
  expect(seen).toBe(5);
});

test("no variable is used before a step has told how to set it", () => {
  const known = new Set(["ORGANIZATION"]);
  for (const { title, before, command, instead, keep } of all) {
    for (const [, name] of (before ?? "").matchAll(/export (\w+)=/g)) known.add(name ?? "");
    for (const [, name] of `${command}\n${instead ?? ""}`.matchAll(/\$\{?([A-Z_]+)/g)) expect(known, title).toContain(name);
    for (const [, name] of (keep ?? "").matchAll(/export (\w+)=/g)) known.add(name ?? "");
  }
});
