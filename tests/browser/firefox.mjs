// Debian's Firefox, without any driver: it opens an address, and the page does the rest.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const folders = (process.env.PATH ?? "").split(delimiter);

/** The program; undefined where there is none. */
export const firefox = process.env.FIREFOX_BIN ?? folders.map((folder) => join(folder, "firefox-esr")).find((path) => existsSync(path));

/** Opens an address in a new profile while `act` runs. */
export async function inFirefox(address, act) {
  const profile = mkdtempSync(join(tmpdir(), "firefox-"));
  const words = ["--headless", "--no-remote", "--profile", profile, address];
  const child = spawn(firefox, words, { stdio: "ignore", env: { ...process.env, HOME: profile } });
  const ended = new Promise((done) => child.once("exit", done));
  try {
    return await act();
  } finally {
    child.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
