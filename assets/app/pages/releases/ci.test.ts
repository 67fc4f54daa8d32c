import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { actionsSnippet, shellSnippet } from "./ci.ts";

const origin = "https://mayday.example";

test("the snippets are what a shell can read", () => {
  for (const version of [undefined, "1.4.2", 'it\'s "7" $(date) `id`']) {
    const text = shellSnippet({ origin, version });
    expect(() => execFileSync("sh", ["-n"], { input: text, stdio: ["pipe", "ignore", "pipe"] })).not.toThrow();
    const step = actionsSnippet({ origin, version });
    const run = step.slice(step.indexOf("run: |") + 7).replaceAll(/^ {4}/gm, "");
    expect(() => execFileSync("bash", ["-n"], { input: run, stdio: ["pipe", "ignore", "pipe"] })).not.toThrow();
  }
});

test("a known version is written out, escaped where it is part of a path", () => {
  const text = shellSnippet({ origin, version: "web@2.0/7" });
  expect(text).toContain("VERSION=web@2.0/7\n");
  expect(text).toContain("/releases/web%402.0%2F7/finalize");
  expect(shellSnippet({ origin })).toContain("git rev-parse");
});

test("a prefix of its own is sent with the release", () => {
  expect(shellSnippet({ origin })).not.toContain("url_prefix");
  expect(shellSnippet({ origin, prefix: "https://cdn.example/" })).toContain("url_prefix=$PREFIX");
});
