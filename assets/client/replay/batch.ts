import type { Line } from "./ring.ts";

/** A chunk with this many characters is sent at once. */
const FULL = 200_000;

/** Collects the events of a chunk. */
export function batch() {
  let lines: Line[] = [];
  let size = 0;
  /** Whether a picture has begun that is still to come. */
  let isOpen = false;
  return {
    /**
     * True once it is full, which it is not before a picture that has begun in it: that follows at once. Nothing comes
     * after one that goes on in other requests.
     */
    add(line: Line): boolean {
      lines.push(line);
      size += line.json.length + 1;
      isOpen = (isOpen || line.begins) && !line.isPicture;
      return (size >= FULL || line.more !== undefined) && (!isOpen || size >= 2 * FULL);
    },
    /** Returns and removes the events. */
    drain(): Line[] {
      const all = lines;
      lines = [];
      size = 0;
      isOpen = false;
      return all;
    },
  };
}

/** As many of the first lines as have room in so many bytes, without the beginning of a picture that has none. */
export function fitting(lines: Line[], room: number, sizeOf: (text: string) => number): Line[] {
  let left = room;
  const end = lines.findIndex(({ json }) => (left -= sizeOf(json) + 1) < 0);
  if (end < 0) return lines;
  const fit = lines.slice(0, end);
  const begun = fit.map(({ begins }) => begins).lastIndexOf(true);
  return begun < 0 || fit.slice(begun).some(({ isPicture }) => isPicture) ? fit : fit.slice(0, begun);
}
