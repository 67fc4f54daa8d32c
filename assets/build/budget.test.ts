import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Bytes that the first load of the issue list may take of the build, as they are sent, and scripts that any page may. */
const budget = 223_700;
const scriptsMost = 15;
/** The file that is fetched once the person does something. */
const later = "later";

const dist = (path: string) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
  assets?: string[];
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

/** The manifest's key of the chunk that several entries share under a name. */
function chunkOf(manifest: Record<string, Chunk>, name: string): string {
  const key = Object.keys(manifest).find((each) => each.startsWith(`_${name}-`) && each.endsWith(".js"));
  if (!key) throw new Error(`the build has no chunk ${name}`);
  return key;
}

/** A file's bytes on the wire, without headers. */
const sent = (file: string): number => statSync(dist(existsSync(dist(`${file}.br`)) ? `${file}.br` : file)).size;
const sum = (files: Iterable<string>): number => [...files].reduce((bytes, file) => bytes + sent(file), 0);

test("the first load of the issue list keeps its budget", () => {
  const manifest = readManifest();
  const scripts = closure(manifest, "index.html");
  const chunks = Object.values(manifest).filter(({ file }) => scripts.has(file));
  const styles = new Set(chunks.flatMap(({ css = [] }) => css));
  // Letters beyond Latin-1 are fetched where a page shows them.
  const faces = new Set(chunks.flatMap(({ assets = [] }) => assets).filter((file) => /\.woff2$/.test(file)));
  for (const file of faces) if (file.includes("latin-ext")) faces.delete(file);
  const bytes = {
    scripts: sum(scripts),
    styles: sum(styles),
    faces: sum(faces),
    page: sum(["index.html", "early.js"]),
  };
  const all = Object.values(bytes).reduce((total, each) => total + each, 0);
  console.info(`first load of the issue list: ${JSON.stringify(bytes)}, ${all} bytes of ${budget}`);
  for (const [kind, some] of Object.entries(bytes)) expect(some, kind).toBeGreaterThan(500);
  expect(all).toBeLessThanOrEqual(budget);
});

test("no page is a crowd of small files", () => {
  const manifest = readManifest();
  const pages = Object.keys(manifest).filter((name) => /^pages\/.*Page\.tsx$/.test(name));
  expect(pages.length).toBeGreaterThan(15);
  for (const page of pages) {
    const files = closure(manifest, "index.html");
    for (const name of [page, chunkOf(manifest, later)]) closure(manifest, name, files);
    expect(files.size, [page, ...files].join("\n")).toBeLessThanOrEqual(scriptsMost);
  }
});

test("the page begins with the scripts that the build says, and with no others", () => {
  const html = readFileSync(dist("index.html"), "utf8");
  const named = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file]) => file as string);
  const expected = [...closure(readManifest(), "index.html")];
  expect(named.filter((file) => file.startsWith("assets/")).sort()).toEqual(expected.sort());
  expect(named.filter((file) => !file.startsWith("assets/"))).toEqual(["early.js"]);
});

test("highlighting is loaded on demand", () => {
  const manifest = readManifest();
  const first = closure(manifest, "index.html");
  for (const page of Object.keys(manifest).filter((name) => /^pages\/.*Page\.tsx$/.test(name)))
    closure(manifest, page, first);
  const onDemand = Object.keys(manifest).filter((name) => /shiki|stack\/highlight\.ts$/.test(name));
  expect(onDemand.length).toBeGreaterThan(6);
  for (const name of onDemand) expect(first, name).not.toContain(manifest[name]?.file);
});
