import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** Bytes of compressed script that the first load of the issue list may take, and in how many files. */
const budget = 250_000;
const scripts = 15;

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

test("the first load of the issue list keeps its budget", () => {
  expect(existsSync(dist("index.html")), "no build: npm --prefix assets run build").toBe(true);
  const manifest = JSON.parse(readFileSync(dist(".vite/manifest.json"), "utf8")) as Record<string, Chunk>;
  const files = closure(manifest, "index.html");
  closure(manifest, "pages/issues/IssuesPage.tsx", files);
  // These are fetched right after.
  for (const later of ["shell/Palette.tsx", "shell/SignInAgain.tsx"]) closure(manifest, later, files);
  const size = [...files].reduce((sum, file) => sum + statSync(dist(`${file}.br`)).size, 0);
  console.info(`first load of the issue list: ${files.size} scripts, ${size} bytes as brotli of ${budget}`);
  expect(size).toBeGreaterThan(50_000);
  expect(size).toBeLessThanOrEqual(budget);
  expect([...files].filter((file) => file.endsWith(".js")).length).toBeLessThanOrEqual(scripts);
});
