// Builds the demo's shop as its releases were built, and runs it to see what it throws.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const assets = join(here, "..", "..", "assets");
const app = join(here, "app");
const output = join(app, "dist");

/** Where the shop is said to be served from. */
export const host = "https://shop.example/";

/** A hash over what the builds depend on, so that they are made once. */
function fingerprint() {
  const hash = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
  for (const name of readdirSync(join(app, "src")).sort()) hash.update(name).update(readFileSync(join(app, "src", name)));
  return hash.digest("hex");
}

function configOf(version, folder) {
  const chunk = "assets/[name]-[hash].js";
  return {
    root: app,
    configFile: false,
    logLevel: "error",
    define: { RELEASE: JSON.stringify(version) },
    build: {
      outDir: folder,
      emptyOutDir: true,
      sourcemap: true,
      minify: "oxc",
      ssr: "src/main.ts",
      rolldownOptions: {
        output: {
          entryFileNames: chunk,
          chunkFileNames: chunk,
          // Each release differs in length and so in its positions, as real ones do.
          banner: `globalThis.__shop__=${JSON.stringify(`${version} ${"·".repeat(version.length * 3)}`)};`,
        },
      },
    },
  };
}

/** One release of the shop: its scripts, their maps, and the errors that its code throws. */
export class Build {
  constructor(version) {
    this.version = version;
    this.folder = join(output, version);
    this.scripts = readdirSync(join(this.folder, "assets")).filter((name) => name.endsWith(".js")).sort();
  }

  /** Every map, under the address of its script below a prefix. */
  maps(prefix) {
    return this.scripts.map((name) => ({
      url: `${prefix}assets/${name}`,
      map: readFileSync(join(this.folder, "assets", `${name}.map`)),
    }));
  }

  /** What an action throws, its stack as a browser on the shop's host writes it. */
  async thrownBy(action) {
    const main = this.scripts.find((name) => name.startsWith("main-"));
    const { act } = await import(pathToFileURL(join(this.folder, "assets", main)).href);
    try {
      await act(action);
    } catch (error) {
      return this.#exception(error);
    }
    throw new Error(`${this.version}: ${action} throws nothing`);
  }

  #exception(error) {
    const own = pathToFileURL(this.folder).href;
    const lines = String(error.stack).split("\n");
    const first = lines.findIndex((line) => /^ {4}at /.test(line));
    const frames = lines.slice(first).filter((line) => line.includes(own));
    const stack = [...lines.slice(0, first), ...frames].join("\n").replaceAll(`${own}/`, host);
    return {
      type: error.name,
      message: error.message,
      stack,
      ...(error.cause !== undefined && { cause: this.#exception(error.cause) }),
    };
  }
}

/** The builds of these versions, made where a source is newer. */
export async function buildReleases(versions) {
  const current = fingerprint();
  const { build } = await import(pathToFileURL(createRequire(join(assets, "package.json")).resolve("vite")).href);
  for (const version of versions) {
    const folder = join(output, version);
    const stamp = join(folder, ".built-from");
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === current) continue;
    await build(configOf(version, folder));
    writeFileSync(stamp, current);
  }
  return new Map(versions.map((version) => [version, new Build(version)]));
}
