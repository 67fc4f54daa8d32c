// The fixture application as the tests see it: its builds, its source text, its errors.

import { execFile } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Oracle } from "./stacks.mjs";

const run = promisify(execFile);
export const appFolder = join(dirname(fileURLToPath(import.meta.url)), "..", "fixtures", "app");

/** The line of a source file that carries a marker comment, counted from 1, with its text. */
export function marked(file, marker, folder = appFolder) {
  const lines = readFileSync(join(folder, file), "utf8").split("\n");
  const found = lines.flatMap((text, index) => (text.endsWith(`// ${marker}`) ? [index] : []));
  if (found.length !== 1) throw new Error(`${file}: expected one line with "// ${marker}", found ${found.length}`);
  const [index] = found;
  const before = lines.slice(index - 5, index);
  const after = lines.slice(index + 1, index + 6);
  if (before.length !== 5 || after.length !== 5) throw new Error(`${file}: no five lines around "// ${marker}"`);
  return { file, line: index + 1, text: lines[index], before, after };
}

/** The places that throw, and the text that a resolved column must point at in each build. */
export const places = {
  price: { file: "src/price.ts", marker: "throws here", function: "priceOf" },
  voucher: { file: "src/voucher.ts", marker: "voucher throws here", function: "shareFor" },
};

/** One build: its folder, and every script that has a map. */
export class Build {
  constructor(name) {
    this.name = name;
    this.folder = join(appFolder, "dist", name);
    this.scripts = readdirSync(this.folder, { recursive: true })
      .filter((path) => /\.m?js$/.test(path))
      .map((path) => path.split("\\").join("/"))
      .sort();
    if (this.scripts.length < 2) throw new Error(`${name}: expected several chunks, found ${this.scripts}`);
  }

  text(script) {
    return readFileSync(join(this.folder, script), "utf8");
  }

  map(script) {
    return readFileSync(join(this.folder, `${script}.map`));
  }

  oracle(script) {
    return new Oracle(join(this.folder, `${script}.map`));
  }

  /** The script that a frame's URL names; undefined for one that is not of this build. */
  scriptOf(url) {
    return this.scripts.find((script) => new URL(url).pathname.endsWith(`/${script}`));
  }

  /** Every map of the build under the URL that its script has below a prefix. */
  maps(prefix) {
    return this.scripts.map((script) => ({ url: prefix + script, map: this.map(script) }));
  }

  /** The prefix of the scripts as Node names them in stacks: `~` and the path of the build. */
  get nodePrefix() {
    return `~${pathToFileURL(this.folder).pathname}/`;
  }
}

/** Runs one function of a bundle in a Node of its own: `{type, message, stack}` of what it throws. */
export async function thrownIn(bundle, name, argument) {
  const words = [join(appFolder, "throw.mjs"), bundle, name, JSON.stringify(argument)];
  const { stdout } = await run(process.execPath, words, { env: { PATH: process.env.PATH, NODE_ENV: "production" } });
  return JSON.parse(stdout);
}

/** The error of a build for Node: an order in a currency that has no rate. */
export const priceError = (build) => thrownIn(join(build.folder, "shop.mjs"), "order", "XBT");

/** The other error of a build for Node: a voucher for too few pieces, in a chunk of its own. */
export const voucherError = (build) => thrownIn(join(build.folder, "shop.mjs"), "orderWithVoucher", "HALF");
