import { expect, test } from "vitest";
import { originOf } from "./origin.ts";
import { isMinified, sdkOf, sdks } from "./sdks.ts";
import { releaseOfSnippets, snippetOf } from "./snippets.ts";

const place = { origin: "https://mayday.example", key: "pk_0123456789abcdef" };

test("every snippet has the address and the key in it", () => {
  for (const text of sdks.map(({ id }) => snippetOf(id, place).text)) {
    expect(text).toContain(releaseOfSnippets);
    expect(text).toContain(place.origin);
    expect(text).toContain(place.key);
    expect(text).not.toContain("undefined");
  }
});

test("each framework says what is to be done beside the script", () => {
  for (const id of ["react", "vue", "svelte", "nextjs"] as const) {
    const { text, also } = snippetOf(id, place);
    expect(text).toContain("/client.js");
    expect(also?.text).toContain("window.mayday?.captureException(error)");
  }
  expect(snippetOf("script", place).also).toBeUndefined();
});

test("what curl sends is JSON with a stack of three lines", () => {
  const body = /-d '([^']*)'/.exec(snippetOf("curl", place).text)?.[1] ?? "";
  const event = JSON.parse(body) as { api_key: string; exception: { stack: string } };
  expect(event.api_key).toBe(place.key);
  expect(event.exception.stack.split("\n")).toHaveLength(3);
  expect(snippetOf("curl", place).where).toMatch(/\bPHP\b.*\bC#/);
});

test("the address decides the tab, then what the project runs on", () => {
  expect(sdkOf("python", "react")).toBe("python");
  expect(sdkOf("cobol", "react")).toBe("react");
  expect([undefined, null, "", "browser", "angular"].map((platform) => sdkOf(undefined, platform))).toEqual(
    Array(5).fill("script"),
  );
  expect(
    ["Vue", "Svelte", "nextjs", "node", "Node.js", "python", "Django", "golang", "ruby", "other"].map((platform) =>
      sdkOf(undefined, platform),
    ),
  ).toEqual(["vue", "svelte", "nextjs", "node", "node", "python", "python", "go", "curl", "curl"]);
});

test("source maps are asked for where scripts may be minified", () => {
  expect(sdks.map(({ id }) => id).filter((id) => !isMinified(id))).toEqual(["python", "go", "curl"]);
});

test("events go to the configured address, unless it is localhost and we are not", () => {
  expect(originOf("https://mayday.example", "http://localhost:8000")).toBe("https://mayday.example");
  expect(originOf("https://mayday.example/", "https://mayday.example")).toBe("https://mayday.example");
  expect(originOf("http://localhost:8000", "http://127.0.0.1:8000")).toBe("http://localhost:8000");
  expect(originOf("http://localhost:8000", "http://192.168.1.7:8000")).toBe("http://192.168.1.7:8000");
  for (const broken of [undefined, "", "no address"])
    expect(originOf(broken, "http://x.example")).toBe("http://x.example");
});
