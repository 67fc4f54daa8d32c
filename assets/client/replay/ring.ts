/** Events of a buffer, and their characters: a page that changes without pause is cut short, not kept without bound. */
const EVENTS = 10_000;
const CHARACTERS = 5_000_000;
/** Milliseconds that are kept. */
export const KEPT = 300_000;

/** An event as JSON. */
export interface Line {
  json: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Whether a whole picture of the page begins with it. */
  begins: boolean;
  /** Whether it is that picture. */
  isPicture: boolean;
}

export interface Ring {
  /** False once there is no more room: then nothing is kept before the next beginning, which makes room. */
  add(line: Line): boolean;
  /** Whether nothing is missing since the last beginning. */
  isWhole(): boolean;
  /** What was kept; it is empty then. */
  drain(): Line[];
  /** Forgets what was kept, and keeps nothing before the next beginning. */
  close(): void;
}

/**
 * Keeps the events of the last five minutes, and those before them since a beginning: a replay can only start where the
 * whole page was recorded. A part of which all is older is dropped, so that an idle page leaves no gap behind.
 */
export function ring(events = EVENTS, characters = CHARACTERS, kept = KEPT): Ring {
  /** Each begins with a picture. */
  let sections: Line[][] = [];
  let count = 0;
  let size = 0;
  let isWhole = true;
  const isFull = (): boolean => count > events || size > characters;

  const dropFirst = (): void => {
    for (const { json } of sections.shift()!) {
      count -= 1;
      size -= json.length;
    }
  };

  /** Whether the first part is not needed: the next one goes back far enough, or nothing in it is recent. */
  const isOld = (now: number): boolean => sections[1]![0]!.at <= now - kept || sections[0]!.at(-1)!.at < now - kept;

  const drain = (): Line[] => {
    const all = sections.flat();
    [sections, count, size, isWhole] = [[], 0, 0, true];
    return all;
  };

  return {
    add(line) {
      if (line.begins) isWhole = true;
      if (!isWhole) return false;
      if (line.begins || !sections.length) sections.push([]);
      sections.at(-1)!.push(line);
      count += 1;
      size += line.json.length;
      while (sections.length > 1 && (isFull() || isOld(line.at))) dropFirst();
      isWhole = !isFull();
      return isWhole;
    },
    isWhole: () => isWhole,
    drain,
    close() {
      drain();
      isWhole = false;
    },
  };
}
