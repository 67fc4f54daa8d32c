import { expect, test } from "vitest";
import { highlight } from "./highlight.ts";
import { originOf } from "./origin.ts";
import { isMinified, sdkOf, sdks } from "./sdks.ts";
import { placeholder, releaseOfSnippets, snippetOf } from "./snippets.ts";
import { testEvent } from "./test-event.ts";

const place = { origin: "https://mayday.example", key: "pk_0123456789abcdef" };

test("every snippet has the address and the key in it", () => {
  for (const text of sdks.map(({ id }) => snippetOf(id, place).text)) {
    expect(text).toContain(releaseOfSnippets);
    expect(text).toContain(place.origin);
    expect(text).toContain(place.key);
    expect(text).not.toContain("undefined");
  }
});

test("each framework says what to do besides adding the script", () => {
  for (const id of ["react", "vue", "nextjs"] as const) {
    const { text, also } = snippetOf(id, place);
    expect(text).toContain("/client.js");
    expect(also?.text).toContain("window.mayday?.captureException(error)");
  }
  expect(snippetOf("script", place).also).toBeUndefined();
});

test("the curl snippet sends JSON with a stack of three lines", () => {
  const body = /-d '([^']*)'/.exec(snippetOf("curl", place).text)?.[1] ?? "";
  const event = JSON.parse(body) as { api_key: string; exception: { stack: string } };
  expect(event.api_key).toBe(place.key);
  expect(event.exception.stack.split("\n")).toHaveLength(3);
});

test("highlighting loses no character, and marks a missing key", () => {
  for (const { id } of sdks) {
    const { text, language } = snippetOf(id, { ...place, key: placeholder });
    const pieces = highlight(text, language);
    expect(pieces.map((piece) => piece.text).join("")).toBe(text);
    expect(pieces.filter(({ kind }) => kind === "missing")).toHaveLength(1);
  }
  expect(highlight('let a = "//x"; // y', "javascript").map(({ kind }) => kind)).toEqual([
    "plain",
    "string",
    "plain",
    "comment",
  ]);
});

test("the address selects the tab, or else the project's platform does", () => {
  expect(sdkOf("python", "react")).toBe("python");
  expect(sdkOf("cobol", "react")).toBe("react");
  expect([undefined, null, "", "svelte", "angular"].map((platform) => sdkOf(undefined, platform))).toEqual(
    Array(5).fill("script"),
  );
  expect(
    ["Vue", "nextjs", "node", "Node.js", "python", "Django", "golang", "ruby", "other"].map((platform) =>
      sdkOf(undefined, platform),
    ),
  ).toEqual(["vue", "nextjs", "node", "node", "python", "python", "go", "curl", "curl"]);
});

test("source maps are suggested for platforms with minified scripts", () => {
  expect(sdks.map(({ id }) => id).filter((id) => !isMinified(id))).toEqual(["python", "go"]);
});

test("events go to the configured address, unless it is localhost and we are not", () => {
  expect(originOf("https://mayday.example", "http://localhost:8000")).toBe("https://mayday.example");
  expect(originOf("https://mayday.example/", "https://mayday.example")).toBe("https://mayday.example");
  expect(originOf("http://localhost:8000", "http://127.0.0.1:8000")).toBe("http://localhost:8000");
  expect(originOf("http://localhost:8000", "http://192.168.1.7:8000")).toBe("http://192.168.1.7:8000");
  for (const broken of [undefined, "", "no address"])
    expect(originOf(broken, "http://x.example")).toBe("http://x.example");
});

test("the test event shows its throwing line without any upload", () => {
  const { exception, environment } = testEvent(place.key);
  expect(environment).toBe("test");
  expect(exception?.message).toMatch(/test event.*Administrators can delete this issue/);
  expect(exception?.frames?.[0]?.context_line).toContain("item.price.amount");
  const frame = exception?.frames?.[0];
  expect(frame?.context_line?.slice((frame.colno ?? 0) - 1)).toMatch(/^amount/);
});
