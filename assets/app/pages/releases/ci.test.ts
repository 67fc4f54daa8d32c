import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { actionsSnippet, commandSnippet, shellSnippet } from "./ci.ts";

const origin = "https://mayday.example";

test("the snippets are what a shell can read", () => {
  for (const version of [undefined, "1.4.2", 'it\'s "7" $(date) `id`']) {
    const text = shellSnippet({ origin, version });
    const line = commandSnippet({ origin, version });
    const told = execFileSync("sh", ["-c", `mayday() { printf '[%s]' "$MAYDAY_URL" "$@"; }; ${line}`], {
      encoding: "utf8",
    });
    const release = version === undefined ? "" : `[--release][${version}]`;
    expect(told).toBe(`[${origin}][sourcemaps][upload]${release}[dist/]`);
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
});

test("without a version it is the whole commit, as the command line names it", () => {
  expect(shellSnippet({ origin })).toContain("VERSION=$(git rev-parse HEAD)\n");
  expect(actionsSnippet({ origin })).toContain('VERSION="$GITHUB_SHA"\n');
});

test("a version that begins like an option is none", () => {
  expect(commandSnippet({ origin, version: "-1" })).toContain(" --release='-1' dist/");
});

test("a key that is shown is part of both ways", () => {
  const shown = { origin, version: "1.0.0", key: "pk_0123" };
  expect(commandSnippet(shown)).toBe(
    `MAYDAY_URL=${origin} MAYDAY_KEY=pk_0123 mayday sourcemaps upload --release 1.0.0 dist/`,
  );
  expect(shellSnippet(shown)).toContain("\nMAYDAY_KEY=pk_0123 ");
  expect(shellSnippet({ origin })).not.toContain("MAYDAY_KEY=");
});

test("a prefix of its own is sent with the release", () => {
  expect(shellSnippet({ origin })).not.toContain("url_prefix");
  expect(commandSnippet({ origin, prefix: "~/" })).not.toContain("url-prefix");
  expect(commandSnippet({ origin, prefix: "~/app/" })).toContain("--url-prefix '~/app/' dist/");
  expect(shellSnippet({ origin, prefix: "https://cdn.example/" })).toContain("url_prefix=$PREFIX");
});
