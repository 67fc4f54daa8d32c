import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, test } from "vitest";

test("the client is one script under 2,048 bytes, compressed either way", async () => {
  const folder = await mkdtemp(join(tmpdir(), "client-"));
  try {
    const configFile = fileURLToPath(new URL("vite.config.ts", import.meta.url));
    await build({ configFile, logLevel: "silent", build: { outDir: folder } });
    expect((await readdir(folder)).sort()).toEqual(["client.js", "client.js.br", "client.js.gz"]);
    for (const ending of ["br", "gz"]) {
      expect((await readFile(join(folder, `client.js.${ending}`))).length, ending).toBeLessThan(2_048);
    }
    const script = await readFile(join(folder, "client.js"), "utf8");
    expect(script).not.toMatch(/sourceMappingURL|console|VERSION/);
    expect(script).toMatch(/mayday\.browser`?,version:[`"']\d+\.\d+\.\d+/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
