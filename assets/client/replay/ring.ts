/** The most events and characters of the buffer, so that a page that changes constantly does not fill the memory. */
const EVENTS = 10_000;
const CHARACTERS = 5_000_000;
/** How long events are kept, in milliseconds. */
export const KEPT = 300_000;

/** An event as JSON. */
export interface Line {
  json: string;
  /** Of a picture that is larger than a request: events that go on with it, each for a request of its own. */
  more?: string[];
  /** Milliseconds since the epoch. */
  at: number;
  /** Whether a whole picture of the page begins with it. */
  begins: boolean;
  /** Whether it is that picture. */
  isPicture: boolean;
}

export interface Ring {
  /** Returns false if there is no more room: then nothing is kept until the next snapshot, which makes room. */
  add(line: Line): boolean;
  /** Whether nothing is missing since the last snapshot. */
  isWhole(): boolean;
  /** Returns and removes everything. */
  drain(): Line[];
  /** Drops everything, and keeps nothing until the next snapshot. */
  close(): void;
}

const charactersOf = ({ json, more = [] }: Line): number => more.reduce((sum, each) => sum + each.length, json.length);

/**
 * Keeps the events of the last five minutes, and earlier ones since a snapshot, because a replay can only start at
 * one. A section in which everything is older is dropped, so that an idle page leaves no gap.
 */
export function ring(events = EVENTS, characters = CHARACTERS, kept = KEPT): Ring {
  /** Each begins with a snapshot. */
  let sections: Line[][] = [];
  let count = 0;
  let size = 0;
  let isWhole = true;
  const isFull = (): boolean => count > events || size > characters;

  const dropFirst = (): void => {
    for (const line of sections.shift()!) {
      count -= 1;
      size -= charactersOf(line);
    }
  };

  /** Whether the first section is not needed: the next one goes back far enough, or it has no recent events. */
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
      size += charactersOf(line);
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
