import type { Replayer } from "@rrweb/replay";
import { EventType, type Recorded } from "../../../../client/replay/format.ts";
import { pieces } from "../data/pieces.ts";
import { nothingKnown, sanitized } from "../data/sanitize.ts";
import { splitter } from "../data/split.ts";
import { emptySummary, note, noteGap, pageAt } from "../data/summary.ts";

/** Characters that are read at most for a moment. */
const charactersMost = 16_000_000;

/** What draws a moment. */
export interface Picture {
  /** From a picture of the whole page on; the times are those of the recording. */
  events: Recorded[];
  /** The address that the person was at. */
  url: string | undefined;
}

/**
 * Reads what draws the moment `until`, by the recording's clock: the latest picture of the whole page from before it, and
 * what has changed since. Nothing if the answer does not have that.
 */
export async function readPicture(address: string, until: number, signal: AbortSignal): Promise<Picture | undefined> {
  const answer = await fetch(address, { signal, headers: { Accept: "application/json" } });
  // Without a later picture it begins where the recording does, which is being read anyway.
  const isLater = answer.ok && answer.headers.get("x-first-chunk") !== "0";
  const reader = isLater ? answer.body?.pipeThrough(new TextDecoderStream()).getReader() : undefined;
  if (!reader) void answer.body?.cancel();
  const [split, known, summary, isPiece] = [splitter(), nothingKnown(), emptySummary(0), pieces()];
  const events: Recorded[] = [];
  let characters = 0;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    characters += part.value.length;
    const read = split(part.value).flatMap((text) => eventOf(text, known) ?? []);
    const later = read.findIndex(({ timestamp }) => timestamp > until);
    for (const event of later < 0 ? read : read.slice(0, later)) {
      if (noteGap(summary, event) || isPiece(event)) continue;
      note(summary, event, known);
      events.push(event);
    }
    if (later < 0 && characters <= charactersMost) continue;
    void reader?.cancel().catch(() => undefined);
    return later < 0 ? undefined : pictureOf(events, pageAt(summary, Number.POSITIVE_INFINITY));
  }
  return pictureOf(events, pageAt(summary, Number.POSITIVE_INFINITY));
}

function eventOf(text: string, known: ReturnType<typeof nothingKnown>): Recorded | undefined {
  try {
    return sanitized(JSON.parse(text), known);
  } catch {
    return undefined;
  }
}

function pictureOf(events: Recorded[], url: string | undefined): Picture | undefined {
  const taken = events.findLastIndex(({ type }) => type === EventType.FullSnapshot);
  // The size of the page stands right before its picture.
  const from = events[taken - 1]?.type === EventType.Meta ? taken - 1 : -1;
  return from < 0 ? undefined : { events: events.slice(from), url };
}

interface Means {
  read: (at: number, signal: AbortSignal) => Promise<Picture | undefined>;
  /** Makes a player of what was read. */
  draw: (picture: Picture) => Replayer;
  /** Called once nothing can be drawn. */
  fail: () => void;
}

/** A moment that is drawn by itself, while the recording has not been read so far. */
export class Glimpse {
  /** Milliseconds from the beginning. */
  readonly at: number;
  /** Whether nothing can be drawn. */
  hasFailed = false;
  readonly #stop = new AbortController();
  #replayer: Replayer | undefined;

  constructor(at: number, { read, draw, fail }: Means) {
    this.at = at;
    const { signal } = this.#stop;
    const show = async () => {
      const picture = await read(at, signal);
      if (signal.aborted) return;
      if (picture) this.#replayer = draw(picture);
      else throw new Error("nothing to draw");
    };
    void show().catch(() => {
      if (signal.aborted) return;
      this.hasFailed = true;
      fail();
    });
  }

  destroy(): void {
    this.#stop.abort();
    try {
      this.#replayer?.destroy();
    } catch {
      // rrweb trusts what it draws to be what it recorded.
    }
    this.#replayer = undefined;
  }
}
