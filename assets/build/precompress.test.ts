import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { build } from "vite";
import { expect, test } from "vitest";
import { precompress } from "./precompress.ts";

/** Builds a page of one script in a folder of its own and returns every file of the output. */
async function built(): Promise<Map<string, Buffer>> {
  const root = await mkdtemp(join(tmpdir(), "precompress-"));
  try {
    await writeFile(join(root, "index.html"), '<!doctype html><script type="module" src="/main.js"></script>');
    await writeFile(join(root, "main.js"), 'document.title = "a".repeat(3);\n');
    await mkdir(join(root, "public", "inner"), { recursive: true });
    await writeFile(join(root, "public", "inner", "copied.js"), 'document.body.id = "b";\n');
    await build({ root, configFile: false, logLevel: "silent", plugins: [precompress()] });
    const folder = join(root, "dist");
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.includes(".")).sort();
    return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)));
  } finally {
    await rm(root, { recursive: true });
  }
}

test("every compressible file, also one that is only copied, stands beside its own brotli and gzip form, the same each time", async () => {
  const files = await built();
  const plain = [...files.keys()].filter((name) => /\.(?:js|html)$/.test(name));
  expect(plain).toHaveLength(3);
  for (const name of plain) {
    expect(brotliDecompressSync(files.get(`${name}.br`)!)).toEqual(files.get(name));
    expect(gunzipSync(files.get(`${name}.gz`)!)).toEqual(files.get(name));
  }
  expect(await built()).toEqual(files);
});
