import type { Replayer } from "@rrweb/replay";
import { EventType, type Recorded, tags } from "../../../../client/replay/format.ts";
import { pieces } from "../data/pieces.ts";
import { type Known, nothingKnown, sanitized } from "../data/sanitize.ts";
import { Sheets } from "../data/sheets.ts";
import { splitter } from "../data/split.ts";

/** Characters that are read at most for a moment: those of the largest picture, and as many changes as there mostly are. */
const charactersMost = 52_000_000;
/** Milliseconds of work after which the page gets its turn. */
const slice = 8;
/** Events may be as much earlier or later than the one before, in milliseconds; else the clock was set in between. */
const [backMost, aheadMost] = [60_000, 3_600_000];
/** How long somebody has to stay at a moment for it to be read, in milliseconds. */
const stay = 300;

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
export async function readPicture(
  address: string,
  until: number,
  signal: AbortSignal,
  sheets = new Sheets(),
): Promise<Picture | undefined> {
  const answer = await fetch(address, { signal, headers: { Accept: "application/json" } });
  // Without a later picture it begins where the recording does, which is being read anyway.
  const isLater = answer.ok && answer.headers.get("x-first-chunk") !== "0";
  if (!isLater || !answer.body) {
    void answer.body?.cancel();
    return undefined;
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    const known = nothingKnown();
    const events = await readUntil(reader, until, known, signal);
    if (known.links.length > 0) await sheets.fill(known);
    return pictureOf(events);
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** The events up to a time; none where the times cannot be compared with it. */
async function readUntil(
  reader: ReadableStreamDefaultReader<string>,
  until: number,
  known: Known,
  signal: AbortSignal,
): Promise<Recorded[]> {
  const [split, isPiece] = [splitter(), pieces(known)];
  const events: Recorded[] = [];
  let [characters, turn] = [0, performance.now() + slice];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    characters += part.value.length;
    if (characters > charactersMost) return [];
    for (const text of split(part.value)) {
      const event = eventOf(text, known);
      const isPart = isPiece(event);
      if (!event || isGap(event)) continue;
      const { timestamp } = event;
      const before = events.at(-1)?.timestamp ?? timestamp;
      if (timestamp < before - backMost || timestamp > before + aheadMost) return [];
      if (timestamp > until) return events;
      if (isPart) continue;
      events.push(event);
      if (performance.now() < turn) continue;
      await new Promise((done) => setTimeout(done));
      if (signal.aborted) throw signal.reason;
      turn = performance.now() + slice;
    }
  }
  return events;
}

/** What the server says of parts that are missing. */
const isGap = ({ type, data }: Recorded): boolean => type === EventType.Custom && data.tag === tags.gap;

function eventOf(text: string, known: Known): Recorded | undefined {
  try {
    return sanitized(JSON.parse(text), known);
  } catch {
    return undefined;
  }
}

function pictureOf(events: Recorded[]): Picture | undefined {
  const taken = events.findLastIndex(({ type }) => type === EventType.FullSnapshot);
  // The size of the page stands right before its picture.
  const from = events[taken - 1]?.type === EventType.Meta ? taken - 1 : -1;
  if (from < 0) return undefined;
  const shown = events.slice(from);
  return { events: shown, url: shown.map(addressIn).findLast((address) => address !== undefined) };
}

/** The address that an event says the person went to. */
function addressIn({ type, data }: Recorded): string | undefined {
  const payload = data.payload as Record<string, unknown> | null | undefined;
  const isMove = type === EventType.Custom && data.tag === tags.navigation;
  const said = type === EventType.Meta ? data.href : isMove ? payload?.to : undefined;
  return typeof said === "string" && said !== "" ? said.slice(0, 2_048) : undefined;
}

interface GlimpseTools {
  read: (at: number, signal: AbortSignal) => Promise<Picture | undefined>;
  /** Makes a player of what was read. */
  draw: (picture: Picture, at: number) => Replayer;
  /** Called once nothing can be drawn. */
  fail: () => void;
}

/** A moment that is drawn by itself, while the recording has not been read so far. */
export class Glimpse {
  /** Milliseconds from the beginning. */
  at: number | undefined;
  /** Whether nothing can be drawn. */
  hasFailed = false;
  readonly #means: GlimpseTools;
  #stop = new AbortController();
  #replayer: Replayer | undefined;

  constructor(means: GlimpseTools) {
    this.#means = means;
  }

  /** Draws a moment; of several in a row the last, and what was drawn stays until then. */
  show(at: number): void {
    const wait = this.at === undefined ? 0 : stay;
    this.at = at;
    this.#stop.abort();
    this.#stop = new AbortController();
    void this.#show(at, wait, this.#stop.signal);
  }

  async #show(at: number, wait: number, signal: AbortSignal): Promise<void> {
    const { read, draw, fail } = this.#means;
    try {
      if (wait > 0) await new Promise((done) => setTimeout(done, wait));
      const picture = signal.aborted ? undefined : await read(at, signal);
      if (signal.aborted) return;
      if (!picture) throw new Error("nothing to draw");
      ended(this.#replayer);
      this.#replayer = undefined;
      this.#replayer = draw(picture, at);
    } catch {
      if (signal.aborted) return;
      this.hasFailed = true;
      fail();
    }
  }

  destroy(): void {
    this.#stop.abort();
    ended(this.#replayer);
    this.#replayer = undefined;
  }
}

/** Ends a player. */
export function ended(replayer: Replayer | undefined): void {
  try {
    replayer?.destroy();
  } catch {
    // rrweb trusts what it draws to be what it recorded.
  }
}
