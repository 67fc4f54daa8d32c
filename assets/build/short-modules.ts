// A module that only one other uses is read together with it. A short one is easier to read in that file: there it has
// its context, and nobody has to wonder who else uses it.

import { posix } from "node:path";
import { allImports, resolveImport, staticImports } from "./import-circles.ts";

/** How many lines a short module has at most. */
const short = 25;

/**
 * Short modules among `files` (path → source, tests included) that belong in the one file that uses them. A component
 * does if that file is in its folder or in the one above; a helper does wherever that file is. What a test uses, what
 * is loaded later, what has a stylesheet of its own, and the `route.ts` of a page stand alone.
 */
export function modulesToFold(files: ReadonlyMap<string, string>): string[] {
  const users = usersOf(files);
  return [...files].flatMap(([name, source]) => {
    const [user, ...others] = users.get(name) ?? [];
    const isDue = user && others.length === 0 && isShort(source) && !standsAlone(name, source);
    return isDue && isNear(name, user) && !isLoadedLater(name, user, files.get(user) ?? "") ? [name] : [];
  });
}

/** The files that import each module, now or later. */
function usersOf(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const [name, source] of files) {
    for (const to of new Set(allImports(name, source).map((from) => resolveImport(name, from)))) {
      users.set(to, [...(users.get(to) ?? []), name]);
    }
  }
  return users;
}

const isShort = (source: string): boolean => source.trimEnd().split("\n").length <= short;

function standsAlone(name: string, source: string): boolean {
  const { base, name: own } = posix.parse(name);
  return base === "route.ts" || source.includes(`"./${own}.module.css"`);
}

function isNear(name: string, user: string): boolean {
  const folder = posix.dirname(name);
  return name.endsWith(".ts") || [folder, posix.dirname(folder)].includes(posix.dirname(user));
}

const isLoadedLater = (name: string, user: string, source: string): boolean =>
  !staticImports(user, source).some((from) => resolveImport(user, from) === name);
