import type { Exception, MaydayEvent } from "./types.ts";

/** Bundler plugins register the debug ids of source maps here: a stack from each file → its id. */
interface Registries {
  _debugIds?: Record<string, string>;
  _sentryDebugIds?: Record<string, string>;
}

/** The files in an exception's stacks that have a debug id. */
export function images(exception: Exception | undefined): MaydayEvent["debug_meta"] {
  const { _debugIds, _sentryDebugIds } = globalThis as Registries;
  const known = Object.entries({ ..._sentryDebugIds, ..._debugIds });
  if (!known.length) return undefined;
  let stacks = "";
  for (let each = exception; each; each = each.cause) stacks += each.stack || "";
  const found = new Map<string, string>();
  for (const [stack, id] of known) {
    const [, file] = /([a-z][\w+.-]*:\/\/[^\s]+?|\/[^\s]+?):\d+(?::\d+)?\)?$/m.exec(stack) || [];
    if (file && stacks.includes(`${file}:`)) found.set(file, id);
  }
  if (!found.size) return undefined;
  return { images: Array.from(found, ([code_file, debug_id]) => ({ type: "sourcemap", code_file, debug_id })) };
}
