// What a test needs of this machine, and what becomes of the test where that is not there. It is skipped by name; only on a
// machine of the continuous integration, where tools/setup.sh has installed everything, it fails for what was to be there.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** tools/setup.sh leaves it when no mirror of packages answered. */
const withoutPackages = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "target", "without-packages");

const say = (what, why) => {
  console.log(`NOT TRIED: ${what}: ${why}.`);
  return why;
};

/** For what no machine gives unless it is made so, such as root or namespaces: `why`, printed, or false. */
export const cannot = (what, why) => (why ? say(what, why) : false);

/** For what can be installed or ended, such as a program or whoever has a port: `why`, printed, or false. */
export function lacks(what, why) {
  if (why && process.env.CI === "true" && !existsSync(withoutPackages)) throw new Error(`${what} cannot be tried: ${why}`);
  return cannot(what, why);
}
