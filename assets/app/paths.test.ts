import { expect, test } from "vitest";
import { localPath, paths, setupTokenIn } from "./paths.ts";

test("text from outside is escaped in a path", () => {
  expect(paths.release(1, "web@1.0/β#2")).toBe("/projects/1/releases/web%401.0%2F%CE%B2%232");
  expect(paths.issue(1, 2, "a/b?c")).toBe("/projects/1/issues/2?event=a%2Fb%3Fc");
  expect(paths.logs(1, { query: "a&b=c", entry: 3, levels: undefined })).toBe(
    "/projects/1/logs?query=a%26b%3Dc&entry=3",
  );
  expect(paths.logs(1)).toBe("/projects/1/logs");
});

test("the setup token is read from the fragment", () => {
  expect(setupTokenIn("#token=0123-4567")).toBe("0123-4567");
  expect(setupTokenIn("")).toBe("");
  expect(setupTokenIn("#other=1")).toBe("");
});

test("a sign-in redirects only within this site", () => {
  expect(localPath("/projects/1/issues?query=x")).toBe("/projects/1/issues?query=x");
  for (const wanted of [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/\n/evil.example",
    "",
    undefined,
    7,
  ]) {
    expect(localPath(wanted)).toBe("/");
  }
});
