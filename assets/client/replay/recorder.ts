import { randomId } from "../ids.ts";
import { all, listen } from "../listen.ts";
import type { Source as Client, Tap } from "../tap.ts";
import type { ReplayOptions } from "../types.ts";
import { batch, fitting } from "./batch.ts";
import { chunkOf } from "./chunk.ts";
import { steady } from "./clock.ts";
import { effort } from "./effort.ts";
import { bare, entryOf, errorOf } from "./entries.ts";
import { EventType, type Recorded, Source, tags } from "./format.ts";
import { type ReplayHandover, onOptOut, put, take } from "./storage.ts";
import { meter } from "./meter.ts";
import { MOST, pace } from "./pace.ts";
import { PART, piecesOf } from "./pieces.ts";
import { KEPT, type Line, ring } from "./ring.ts";
import { type Watched, watchPage } from "./rrweb.ts";
import { type UploadCallbacks, sizeOf, uploader } from "./upload.ts";

/** How often collected events are sent, in milliseconds. */
const EVERY = 5_000;
/**
 * The interval between full snapshots: in the buffer, where the oldest section is dropped at the next snapshot, and
 * while sending, where they make seeking quick. `pace.ts` takes expensive ones less often.
 */
const BUFFERED = 60_000;
const SENT = 120_000;
/** If snapshots replace changes, the interval is every third time that events are sent, 15 s. */
const INSTEAD = 3 * EVERY - 1_000;
/** A replay has at most an hour, the server's limit; after an error, it continues for five minutes. */
const LONGEST = 3_590_000;
const AFTER = 300_000;
/** Bytes for a chunk's metadata. */
const HEAD = 4_000;
/** Parts that a picture may have: what is larger is not worth the page's memory. */
const PARTS = 16;
const LARGEST = PARTS * PART;

/** Sources of events that a snapshot taken right afterwards includes. */
const contained: ReadonlySet<unknown> = new Set([
  Source.Mutation,
  Source.StyleSheetRule,
  Source.StyleDeclaration,
  Source.AdoptedStyleSheet,
]);

function lineOf(event: Recorded): Line {
  const isPicture = event.type === EventType.FullSnapshot;
  const begins = event.type === EventType.Meta;
  const line: Line = { json: JSON.stringify(event), at: event.timestamp, begins, isPicture };
  // What is larger than all parts together is not cut in vain.
  if (isPicture && line.json.length > PART && line.json.length <= LARGEST) {
    line.more = piecesOf(event);
    line.json = JSON.stringify(event);
  }
  return line;
}

/** Records the page until the returned function is called; `over` is called if it ends by itself. */
export function startRecorder(client: Client, settings: ReplayOptions, over: () => void): Tap | undefined {
  const { options, origin, post } = client;
  const onlyErrors = settings.mode === "error";
  const queries = settings.queries === true;
  const storage = options.storage !== false;
  const buffer = ring();
  const gathered = batch();
  const now = steady();
  if (!post) return undefined;

  const session = (): string => client.about().session_id || "";
  const fresh = (): ReplayHandover => {
    const { session_id = "", window_id = "" } = client.about();
    const started = now();
    return { id: randomId(16), session_id, window_id, next: 0, started, until: started + LONGEST, lost: 0 };
  };
  const before = storage ? take(session(), now()) : undefined;
  let kept = before || fresh();
  let isSending = !!before || !onlyErrors;
  /** Whether events are missing, so that later ones are useless before the next snapshot. */
  let hasHole = false;
  let isOver = false;
  const pictures = pace();
  pictures.begun(now());
  /** Whether a snapshot is scheduled; when the last one was started, by the page's own clock. */
  let isDue = false;
  let begun = 0;
  let traced: string | undefined;
  let watched: Watched | undefined;
  /** Whether recording is about to be reduced. */
  let isTooMuch = false;
  const spent = meter(() => {
    if (isTooMuch || isOver || !efforts.isTooMuch()) return;
    isTooMuch = true;
    setTimeout(less);
  });
  const efforts = effort(spent);

  const outcomes: UploadCallbacks = {
    refused: () => end("refused"),
    dropped: (events, replay) => {
      // Another replay may have begun since.
      if (replay === kept.id) lose(events, events);
      miss();
    },
    large: (chunks) => {
      kept.next = Math.max(0, kept.next - chunks);
      end("too large");
    },
  };
  const upload = uploader(`${origin}/api/v1/replays/chunk`, post, outcomes, now);
  const told = () => {
    const { url } = client.about();
    return { options, who: client.who, url: url && bare(url, queries) };
  };
  /** An event that does not go through rrweb, which may have ended. */
  const own = (tag: string, payload: unknown): Line =>
    lineOf({ type: EventType.Custom, timestamp: Math.min(now(), kept.until), data: { tag, payload } });

  /** Records how much is recorded from here on. */
  const mark = (): void => hold(own(tags.effort, { how: efforts.how(), share: efforts.share() }));

  const follow = (): void => {
    watched?.set(efforts.how());
    mark();
  };

  const less = (): void => {
    isTooMuch = false;
    if (isOver) return;
    efforts.less();
    if (efforts.how() === "over") end("too busy");
    else follow();
  };

  /**
   * Records more again once the page is calm. After snapshots alone this takes a snapshot; expensive ones are far
   * apart.
   */
  const more = (): void => {
    if (!efforts.isCalm()) return;
    if (efforts.how() === "pictures" && pictures.pictures() === "none" && !pictures.mayMend(now())) return;
    efforts.more();
    follow();
  };

  const takePicture = (): void => watched?.picture();

  const miss = (): void => {
    hasHole = true;
    pictures.holed(now());
  };

  const lose = (events: number, refused = 0): void => {
    kept.lost += events;
    kept.refused = (kept.refused || 0) + refused;
  };
  const lostOf = (events: number): Line => own(tags.lost, { events, refused: kept.refused });

  const cut = (isLast = false): void => {
    const lines = gathered.drain();
    if (!lines.length) return;
    const hasPicture = lines.some(({ isPicture }) => isPicture);
    const before = lines.length;
    if (kept.lost) lines.unshift(lostOf(kept.lost));
    const parts = chunkOf(lines, kept, told(), isLast);
    if (parts.length > PARTS || (hasPicture && parts[0]!.length > LARGEST)) {
      setTimeout(() => end("too large"));
      return;
    }
    // What was lost before is not told of if this is lost, too.
    if (!upload.push(parts, before + kept.lost, hasPicture, kept.id)) {
      lose(before);
      miss();
      return;
    }
    kept.next += 1;
    kept.lost = kept.refused = 0;
    if (hasHole && !isLast && pictures.mayMend(now())) {
      hasHole = false;
      takePicture();
    }
  };

  /** Schedules a snapshot after the current task, if one is due by this interval. */
  const due = (every: number): void => {
    if (isDue || !pictures.isTime(now(), every)) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      if (!isOver) takePicture();
    });
  };

  const hold = (line: Line): void => {
    if (isSending) {
      if (gathered.add(line)) cut();
    } else if (!buffer.add(line)) due(0);
  };

  /**
   * Records the current trace if it changed; after a snapshot in any case, because what precedes that may be dropped.
   */
  const trace = (anew = false): void => {
    const id = client.trace();
    if (id === traced && !anew) return;
    traced = id;
    hold(own(tags.trace, { trace_id: id }));
  };

  const emit = (event: Recorded): void => {
    // What rrweb attached to frames stays there after its end.
    if (isOver) return;
    event.timestamp = now(event.timestamp);
    // Also after the computer has slept: later events belong to no replay.
    if (isSending && event.timestamp > kept.until) {
      setTimeout(limit);
      return;
    }
    const isPicture = event.type === EventType.Meta || event.type === EventType.FullSnapshot;
    if (event.type === EventType.Meta) {
      event.data.href = bare(String(event.data.href), queries);
      pictures.begun(event.timestamp);
      begun = performance.now();
    }
    if (!isPicture && isStale(event.timestamp) && renew()) {
      if (event.type === EventType.Incremental && contained.has(event.data.source)) return;
    }
    hold(lineOf(event));
    if (event.type === EventType.FullSnapshot) {
      weigh();
      trace(true);
      if (efforts.how() !== "usual") mark();
    } else if (!isPicture) due(usual());
  };

  /** Milliseconds between two snapshots. */
  const usual = (): number => (efforts.how() === "pictures" ? INSTEAD : isSending ? SENT : BUFFERED);

  /** Handles the cost of a snapshot that was just taken; records if it was too much. */
  const weigh = (): void => {
    pictures.done(performance.now() - begun, isSending || buffer.isWhole());
    const how = pictures.pictures();
    if (how === "over") setTimeout(() => end("too slow"));
    if (how !== "usual") hold(own(tags.pictures, { how, took: pictures.took() }));
  };

  /** Restarts the buffer: with a snapshot, or empty until there is one. */
  const renew = (): boolean => {
    const isAllowed = pictures.isTime(now(), 0);
    if (isAllowed) takePicture();
    else buffer.close();
    return isAllowed;
  };

  /** Whether the page was idle for so long that the buffer should not be part of a replay. */
  const isStale = (at: number): boolean => {
    const isUsual = pictures.pictures() === "usual";
    return !isSending && at - pictures.last() > (isUsual ? KEPT : MOST);
  };

  /** Starts sending, including what was buffered. */
  const send = (event_id: string | undefined): void => {
    const lines = buffer.drain();
    const started = lines[0]?.at ?? now();
    // The session may have been renewed since.
    kept = { ...kept, ...fresh(), id: kept.id, started, event_id };
    prolong();
    isSending = true;
    for (const line of lines) hold(line);
  };

  const prolong = (): void => {
    kept.until = Math.min(now() + AFTER, kept.started + LONGEST);
  };

  /** The time limit is reached; the next replay begins with the next error, if replays start with errors. */
  const limit = (): void => {
    if (isOver || !isSending || now() <= kept.until) return;
    if (!onlyErrors) {
      end("limit");
      return;
    }
    gathered.add(own(tags.end, { why: "limit" }));
    cut(true);
    kept = fresh();
    isSending = false;
    renew();
  };

  /** The page is left: sends the rest in requests that outlive it, and stores the replay for the next page. */
  const leave = (): void => {
    if (isOver) upload.leave(() => undefined);
    if (isOver || !isSending) return;
    watched?.flush();
    const lines = gathered.drain();
    const isGone = upload.leave((room, lost) => {
      const fit = fitting(lines, room - HEAD, sizeOf);
      const missing = lost + lines.length - fit.length + kept.lost;
      const parts = missing ? [...fit, lostOf(missing)] : fit;
      // A picture that has several parts was sent at once, and is not among these.
      return parts.length ? chunkOf(parts, kept, told(), false)[0] : undefined;
    });
    if (isGone) {
      kept.next += 1;
      kept.lost = kept.refused = 0;
    } else lose(lines.length);
    if (storage) put(kept);
  };

  const hide = (): void => {
    watched?.flush();
    cut();
  };

  /** The page was restored from the back-forward cache: another page may have continued the replay since. */
  const back = (): void => {
    kept = (storage && take(session(), now())) || fresh();
    isSending = kept.next > 0 || !onlyErrors;
    takePicture();
    mark();
  };

  watched = watchPage(emit, settings.maskAllText === true, spent);
  if (!watched) return undefined;
  // Before `back`, which is not called any more then.
  onOptOut(() => drop());
  // The previous page may have recorded less.
  if (before) mark();
  // Also after the end, until everything has been sent.
  listen(globalThis, ["pagehide"], leave);
  const tick = (): void => {
    trace();
    if (isSending) cut();
    more();
    if (pictures.isLight(now())) takePicture();
    if (efforts.how() === "pictures") due(INSTEAD);
  };
  const timer = setInterval(() => spent.run(tick), EVERY);
  const ends = all([
    watched.stop,
    () => clearInterval(timer),
    listen(globalThis, ["pageshow"], (event) => (event as PageTransitionEvent).persisted && back()),
    listen(document, ["visibilitychange"], () => document.visibilityState === "hidden" && isSending && hide()),
  ]);

  const end = (why: string): void => {
    if (isOver) return;
    watched?.flush();
    isOver = true;
    ends();
    if (isSending && why !== "refused") {
      // Events after a snapshot that the server refused are useless.
      if (why === "too large") gathered.drain();
      gathered.add(own(tags.end, { why }));
      cut(true);
    }
    over();
  };

  /** The person does not want to be recorded: what was not sent yet never is, also after the end. */
  const drop = (): void => {
    upload.drop();
    gathered.drain();
    buffer.drain();
    if (isOver) return;
    isOver = true;
    ends();
    over();
  };

  return {
    crumb(crumb) {
      watched?.tell(...entryOf(crumb, queries));
      trace();
    },
    event(event) {
      limit();
      if (isOver) return;
      if (isSending || event.type === "exception") event.replay_id = kept.id;
    },
    sent(event) {
      if (isOver || event.type !== "exception") return;
      // A buffer with an old or incomplete beginning is restarted, but not if a snapshot may not fit into it.
      if (!isSending && (isStale(now()) || !buffer.isWhole())) {
        buffer.close();
        send(event.event_id);
        takePicture();
      } else if (efforts.how() === "pictures" && pictures.isTime(now(), 0)) takePicture();
      watched?.tell(tags.error, errorOf(event));
      if (!isSending) send(event.event_id);
      else if (onlyErrors) prolong();
    },
    state: () => (isSending ? { state: "recording", id: kept.id, started: kept.started } : { state: "buffering" }),
    end: () => end("stopped"),
  };
}
