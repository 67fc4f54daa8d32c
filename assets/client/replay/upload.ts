import { attempt } from "../safe.ts";

/**
 * Chunks that wait at most, and their characters. A picture in parts begins while no more than that wait, and what comes
 * after it has as much room beside it: else each such picture would cost what the page does meanwhile, and that another.
 */
const WAITING = 60;
const CHARACTERS = 8_000_000;
/** Bytes of requests that a browser lets outlive the page, less some for the page's own. */
const OUTLIVING = 60_000;
/** The pause before the first retry, which doubles with each failure, and the longest, in milliseconds. */
const PAUSE = 1_000;
const PAUSE_MOST = 60_000;
/** How often the server may fail on a chunk. */
const TRIES = 5;

interface Parcel {
  body: string;
  /** Which part of its chunk it is. */
  part: number;
  /** Whether that has no other. */
  isAlone: boolean;
  /** Events in it, and whether there is a whole picture of the page among them. */
  events: number;
  hasPicture: boolean;
  /** The id of its replay. */
  replay: string;
  packed?: Blob;
  tries: number;
}

export interface Uploader {
  /** Takes all parts of a chunk, of which the first has so many events; false if there is no room. */
  push(parts: string[], events: number, hasPicture: boolean, replay: string): boolean;
  /**
   * Sends what waits, and what `make` returns for the remaining bytes, in requests that outlive the page. `lost` is
   * the number of events that cannot be sent any more; returns whether the last request was sent.
   */
  leave(make: (room: number, lost: number) => string | undefined): boolean;
  /** Drops what waits. */
  drop(): void;
}

export interface UploadCallbacks {
  /** The server refuses everything. */
  refused(): void;
  /** A chunk with this many events was dropped, so its replay has a gap. */
  dropped(events: number, replay: string): void;
  /**
   * A chunk with a picture of the page is larger than the server takes; so would the next one be. It was given up with
   * what waited behind it, so many chunks of which the server has nothing.
   */
  large(chunks: number): void;
}

/**
 * Sends chunks one after the other, packed where the browser can. What fails is tried again, ever later. Each request says
 * when it is sent by the clock of the recording, `now`, so that the server knows how far that is off.
 */
export function uploader(
  url: string,
  post: typeof fetch,
  { refused, dropped, large }: UploadCallbacks,
  now: () => number,
): Uploader {
  const address = (): string => `${url}?sent=${Math.round(now())}`;
  let waiting: Parcel[] = [];
  let isBusy = false;
  let isOver = false;
  let failures = 0;

  const pauseOf = (seconds?: string | null): number =>
    Number(seconds) > 0
      ? Number(seconds) * 1_000
      : Math.min(PAUSE * 2 ** failures++, PAUSE_MOST) * (0.75 + Math.random() / 4);

  /** Returns how long to wait before the next request. */
  const settle = (parcel: Parcel, status: number, retryAfter?: string | null): number => {
    const isFault = status >= 500 && status !== 503;
    if (status === 401 || status === 403 || status === 404) {
      isOver = true;
      waiting = [];
      refused();
      return 0;
    }
    if (!status || status === 429 || status === 503 || (isFault && (parcel.tries += 1) < TRIES))
      return pauseOf(retryAfter);
    failures = 0;
    if (status === 413 && parcel.hasPicture) {
      const chunks = waiting.filter(({ part }) => !part);
      waiting = [];
      large(chunks.length);
      return 0;
    }
    waiting = waiting.filter((each) => each !== parcel);
    if (status >= 400) dropped(parcel.events, parcel.replay);
    return 0;
  };

  const deliver = async (parcel: Parcel): Promise<number> => {
    const packed = (parcel.packed ||= await pack(parcel.body));
    // It was dropped meanwhile.
    if (!waiting.includes(parcel)) return 0;
    try {
      const answer = await post(address(), {
        method: "POST",
        body: packed,
        mode: "cors",
        credentials: "omit",
        keepalive: packed.size < OUTLIVING / 2,
        headers: packed.type === GZIP ? { "Content-Encoding": "gzip", "Content-Type": "text/plain" } : {},
      });
      // Until the answer is read, Chromium counts the request among those that outlive the page.
      await attempt(() => answer.text());
      return settle(parcel, answer.status, answer.headers.get("Retry-After"));
    } catch {
      return settle(parcel, 0);
    }
  };

  const pump = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    while (waiting[0] && !isOver) {
      const pause = await deliver(waiting[0]);
      if (pause) await new Promise((done) => setTimeout(done, pause));
    }
    isBusy = false;
  };

  const beacon = (body: string): boolean => attempt(() => navigator.sendBeacon(address(), body)) === true;
  return {
    push(parts, events, hasPicture, replay) {
      const counted = parts.length > 1 ? waiting : waiting.filter(({ isAlone }) => isAlone);
      const characters = counted.reduce((sum, { body }) => sum + body.length, 0);
      if (isOver || counted.length >= WAITING || characters > CHARACTERS) return false;
      const isAlone = parts.length === 1;
      for (const [part, body] of parts.entries())
        waiting.push({ body, part, isAlone, events: part ? 1 : events, hasPicture, replay, tries: 0 });
      void pump();
      return true;
    },
    leave(make) {
      if (isOver) return false;
      let room = OUTLIVING;
      let lost = 0;
      // A chunk in flight is sent again, because its request may end with the page; the server counts it once.
      for (const { body, events } of waiting) {
        // A text with more characters than there are bytes left cannot fit, so it is not encoded to be measured.
        const size = body.length > room ? Infinity : sizeOf(body);
        if (size <= room && beacon(body)) room -= size;
        else lost += events;
      }
      const body = make(room, lost);
      return body !== undefined && beacon(body);
    },
    drop() {
      waiting = [];
    },
  };
}

const GZIP = "application/gzip";

export const sizeOf = (text: string): number => new Blob([text]).size;

/** The text as gzip if the browser can compress, otherwise unchanged. */
async function pack(text: string): Promise<Blob> {
  const plain = new Blob([text], { type: "text/plain" });
  try {
    const stream = plain.stream().pipeThrough(new CompressionStream("gzip"));
    return new Blob([await new Response(stream).arrayBuffer()], { type: GZIP });
  } catch {
    return plain;
  }
}
