// What a stack says, read independently of the server: V8's text format, an oracle for source
// maps, and the same stack as Firefox would have written it.

import { readFileSync } from "node:fs";
import { TraceMap, decodedMappings } from "@jridgewell/trace-mapping";

/**
 * Reads the frames of a V8 stack. `name` is undefined for a frame without one; frames of the engine
 * itself (`<anonymous>`, `native`) are left out. Lines and columns count from 1.
 */
export function v8Frames(stack) {
  return stack
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .map((line) => /^ {4}at (?:(.+?) \()?(\S+?):(\d+):(\d+)\)?$/.exec(line))
    .filter((match) => match !== null)
    .map(([, name, url, line, column]) => ({ name, url, line: Number(line), column: Number(column) }));
}

/** A source map as the tests see it, through another implementation than the server's. */
export class Oracle {
  constructor(mapPath) {
    this.map = new TraceMap(readFileSync(mapPath, "utf8"));
  }

  /** Where a generated position comes from; lines and columns count from 1. */
  original(line, column) {
    return this.originals(line, column)[0] ?? null;
  }

  /** The same where a map gives several originals for one position: any of them is right. */
  originals(line, column) {
    const segments = decodedMappings(this.map)[line - 1] ?? [];
    // The first segment behind the position, by halving.
    let [from, to] = [0, segments.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (segments[middle][0] < column) from = middle + 1;
      else to = middle;
    }
    const found = [];
    for (let at = from - 1; at >= 0 && segments[at][0] === segments[from - 1][0]; at -= 1) {
      const [, source, originalLine, originalColumn] = segments[at];
      if (source === undefined) continue;
      const file = this.map.sources[source].replace(/^(?:\.\.?\/)+/, "");
      found.push({ file, line: originalLine + 1, column: originalColumn + 1, lines: this.#linesOf(source) });
    }
    return found;
  }

  #linesOf(source) {
    this.lines ??= [];
    // Nothing follows the last line.
    return (this.lines[source] ??= this.map.sourcesContent?.[source]?.replace(/\n$/, "").split("\n") ?? null);
  }
}

/**
 * The stack that Firefox writes for the same throw: `name@url:line:column` lines without a heading,
 * ended by a newline, no receiver (`Object.`, `Module.`), no frames of the engine, and a callback
 * named after the function around it (`outer/<`). `scriptOf` gives the text of a script by its URL,
 * in which the enclosing function is looked up. See ../fixtures/stacks/README.md.
 */
export function asFirefox(stack, scriptOf) {
  const lines = v8Frames(stack).map((frame) => {
    const { url, line, column } = frame;
    if (frame.name === undefined) {
      const outer = enclosingFunction(scriptOf(url), line, column);
      return `${outer === undefined ? "" : `${outer}/<`}@${url}:${line}:${column}`;
    }
    const isAsync = frame.name.startsWith("async ");
    const name = frame.name
      .replace(/^(?:async|new) /, "")
      .replace(/ \[as .*\]$/, "")
      .replace(/^.*\./, "");
    return `${isAsync ? "async*" : ""}${name === "<anonymous>" ? "" : name}@${url}:${line}:${column}`;
  });
  return `${lines.join("\n")}\n`;
}

/** The name of the last `function name(` before a position; undefined for a module's own code. */
function enclosingFunction(text, line, column) {
  const rows = text.split("\n");
  const before = [...rows.slice(0, line - 1), rows[line - 1].slice(0, column - 1)].join("\n");
  const names = [...before.matchAll(/function\*? ([\w$]+)\(/g)];
  return names.at(-1)?.[1];
}
