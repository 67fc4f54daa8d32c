import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { addressFor, shellWord, uploadCommand } from "./upload.ts";

const of = (some: object) =>
  uploadCommand({
    origin: "https://m.example",
    release: "1.0.0",
    url: "https://shop.example/assets/cart.min.js?v=3",
    prefix: "~/",
    ...some,
  });

test("the command uploads the map under the script's address", () => {
  expect(of({})).toBe(
    'curl -sS https://m.example/api/v1/sourcemaps -H "Authorization: Bearer $MAYDAY_KEY" \\\n' +
      "  -F release=1.0.0 -F 'url=~/assets/cart.min.js' \\\n" +
      "  -F sourcemap=@cart.min.js.map",
  );
});

test("the address matches the release's prefix, or there is no command", () => {
  expect(addressFor("https://shop.example/a.js#x", "https://shop.example/")).toBe("https://shop.example/a.js");
  expect(addressFor("/srv/app.mjs", "~/srv/")).toBe("~/srv/app.mjs");
  expect(addressFor("https://shop.example/a.js", "~/assets/")).toBeUndefined();
  expect(addressFor("a.js", "~/")).toBeUndefined();
  expect(of({ prefix: "~/other/" })).toBeUndefined();
});

test("an address of an event is a value and no command", () => {
  expect(shellWord("a'; rm -rf ~ #")).toBe(`'a'\\''; rm -rf ~ #'`);
  expect(of({ url: "https://shop.example/$(reboot)`x`.js" })).toContain("-F 'url=~/$(reboot)`x`.js'");
  expect(of({ url: "https://shop.example/$(reboot).js" })).toContain("sourcemap=@script.js.map");
});

test("curl reads no files and no options out of values", () => {
  expect(of({ release: "@/etc/passwd" })).toContain("--form-string release=@/etc/passwd");
  expect(of({ release: "1;type=x" })).toContain("--form-string 'release=1;type=x'");
});

test("text with deceptive characters makes no command", () => {
  for (const url of ["https://a.example/a\n.js", "https://a.example/\u202ea.js", "https://a.example/\u200b.js"])
    expect(of({ url })).toBeUndefined();
});

test("text that a shell would split is quoted", () => {
  expect([shellWord("1.4.2"), shellWord("web 2"), shellWord("it's"), shellWord("$(rm)"), shellWord("~/")]).toEqual([
    "1.4.2",
    "'web 2'",
    "'it'\\''s'",
    "'$(rm)'",
    "'~/'",
  ]);
});

test("a shell reads each word unchanged", () => {
  const words = ["~/a b", "it's", "$(date)", "x=~/y", "@file", "-n", "\u00fc", "*"];
  const out = execFileSync("bash", ["-c", `printf '%s\\n' ${words.map(shellWord).join(" ")}`], { encoding: "utf8" });
  expect(out).toBe(`${words.join("\n")}\n`);
});
