import type { Line } from "./ring.ts";

/** A chunk with this many characters is sent at once. */
const FULL = 200_000;

/** Collects the events of a chunk. */
export function batch() {
  let lines: Line[] = [];
  let size = 0;
  return {
    /** Returns true once it is full. */
    add(line: Line): boolean {
      lines.push(line);
      size += line.json.length + 1;
      return size >= FULL;
    },
    /** Returns and removes the events. */
    drain(): Line[] {
      const all = lines;
      lines = [];
      size = 0;
      return all;
    },
  };
}

/** As many of the first lines as fit into this many bytes. */
export function fitting(lines: Line[], room: number, sizeOf: (text: string) => number): Line[] {
  let left = room;
  const end = lines.findIndex(({ json }) => (left -= sizeOf(json) + 1) < 0);
  return end < 0 ? lines : lines.slice(0, end);
}
