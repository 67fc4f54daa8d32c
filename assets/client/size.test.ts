import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, test } from "vitest";

/** Bytes on the wire without headers: of the client, and of what it loads to record. */
const budget = 6_000;
const replayBudget = 30_000;

test("the client is one script under 6,000 compressed bytes", { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "client-"));
  try {
    const configFile = fileURLToPath(new URL("vite.config.ts", import.meta.url));
    await build({ configFile, logLevel: "silent", build: { outDir: folder } });
    expect((await readdir(folder)).sort()).toEqual(["client.js", "client.js.br", "client.js.gz"]);
    const size = (await readFile(join(folder, "client.js.br"))).length;
    console.info(`client.js: ${size} bytes of ${budget} as brotli`);
    expect(size).toBeLessThan(budget);
    const script = await readFile(join(folder, "client.js"), "utf8");
    expect(script).not.toMatch(/sourceMappingURL|VERSION|eval|Function\(/);
    expect(script).toContain("mayday.browser");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the recorder is a module under 30,000 compressed bytes without eval", {
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "client-replay-"));
  try {
    const configFile = fileURLToPath(new URL("replay/vite.config.ts", import.meta.url));
    await build({ configFile, logLevel: "silent", build: { outDir: folder } });
    const size = (await readFile(join(folder, "client-replay.js.br"))).length;
    console.info(`client-replay.js: ${size} bytes of ${replayBudget} as brotli`);
    expect(size).toBeLessThan(replayBudget);
    const script = await readFile(join(folder, "client-replay.js"), "utf8");
    // rrweb contains the source of a canvas worker, which we never start, as a string with such a comment.
    expect(script).not.toMatch(/^\/\/# sourceMappingURL|\beval\(|new Function\(/m);
    expect(script).not.toMatch(/^import\b/m);
    expect(await readFile(join(folder, "client-licenses.md"), "utf8")).toContain("rrweb");
  } finally {
    await rm(folder, { recursive: true });
  }
});
