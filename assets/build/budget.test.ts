import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Bytes of compressed script that the first load of the issue list may take, and in how many files that of any page. */
const budget = 250_000;
const scripts = 15;
/** Fetched right after the first page. */
const later = ["shell/Palette.tsx", "shell/SignInAgain.tsx"];

const dist = (path: string) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));

interface Chunk {
  file: string;
  imports?: string[];
}

/** A chunk with everything that it imports at once. */
function closure(manifest: Record<string, Chunk>, name: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`the build has no ${name}`);
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const imported of chunk.imports ?? []) closure(manifest, imported, found);
  return found;
}

function readManifest(): Record<string, Chunk> {
  expect(existsSync(dist("index.html")), "no build: npm --prefix assets run build").toBe(true);
  return JSON.parse(readFileSync(dist(".vite/manifest.json"), "utf8")) as Record<string, Chunk>;
}

test("the first load of the issue list keeps its budget", () => {
  const manifest = readManifest();
  const files = closure(manifest, "index.html");
  closure(manifest, "pages/issues/IssuesPage.tsx", files);
  for (const name of later) closure(manifest, name, files);
  const size = [...files].reduce((sum, file) => sum + statSync(dist(`${file}.br`)).size, 0);
  console.info(`first load of the issue list: ${files.size} scripts, ${size} bytes as brotli of ${budget}`);
  expect(size).toBeGreaterThan(50_000);
  expect(size).toBeLessThanOrEqual(budget);
});

test("no page is a crowd of small files", () => {
  const manifest = readManifest();
  const pages = Object.keys(manifest).filter((name) => /^pages\/.*Page\.tsx$/.test(name));
  expect(pages.length).toBeGreaterThan(15);
  for (const page of pages) {
    const files = closure(manifest, "index.html");
    for (const name of [page, ...later]) closure(manifest, name, files);
    expect(files.size, [page, ...files].join("\n")).toBeLessThanOrEqual(scripts);
  }
});

test("the page begins with the scripts that the build says, and with no others", () => {
  const html = readFileSync(dist("index.html"), "utf8");
  const named = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file]) => file as string);
  const expected = [...closure(readManifest(), "index.html")];
  expect(named.filter((file) => file.startsWith("assets/")).sort()).toEqual(expected.sort());
  expect(named.filter((file) => !file.startsWith("assets/"))).toEqual(["color-scheme.js"]);
});

test("grammars, and what colours by them, come on demand", () => {
  const manifest = readManifest();
  const first = closure(manifest, "index.html");
  for (const page of Object.keys(manifest).filter((name) => /^pages\/.*Page\.tsx$/.test(name)))
    closure(manifest, page, first);
  const onDemand = Object.keys(manifest).filter((name) => /shiki|stack\/highlight\.ts$/.test(name));
  expect(onDemand.length).toBeGreaterThan(6);
  for (const name of onDemand) expect(first, name).not.toContain(manifest[name]?.file);
});
