import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const manifest = fileURLToPath(new URL("../../Cargo.toml", import.meta.url));

/** The server's version, which the client reports as its own. */
export function version(): string {
  const found = /^version = "([^"]+)"$/m.exec(readFileSync(manifest, "utf8"))?.[1];
  if (found === undefined) throw new Error("Cargo.toml: no version");
  return found;
}
