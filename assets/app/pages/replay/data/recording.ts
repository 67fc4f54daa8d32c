import { ApiError, detailOf } from "../../../api/error.ts";
import type { Recorded } from "../../../../client/replay/format.ts";
import { EventType } from "../../../../client/replay/format.ts";
import { pieces } from "./pieces.ts";
import { nothingKnown, sanitized } from "./sanitize.ts";
import { Sheets } from "./sheets.ts";
import { splitter } from "./split.ts";
import { emptySummary, note, noteGap, type Summary } from "./summary.ts";
import { timesFromStart } from "./times.ts";

/** Milliseconds of work after which the page gets its turn. */
const slice = 8;

export interface State {
  /** `loading`: more is being fetched from the server. */
  phase: "loading" | "loaded" | "failed";
  error: unknown;
  summary: Summary;
  /** Events that can be shown. */
  count: number;
  /** Whether there is something to begin with. */
  isReady: boolean;
  /** Changes with all that. */
  version: number;
}

/** A replay's events as they arrive, in small turns, so that an hour of them does not stop the page. */
export class Recording {
  readonly events: Recorded[] = [];
  readonly sheets: Sheets;
  /** Told of events right after they have been added. */
  onEvents: ((added: Recorded[]) => void) | undefined;
  #state: State;
  #next = 0;
  #isLive = false;
  /** How many events of an interrupted request were added, so that none is added twice. */
  #taken = 0;
  #reading: Promise<void> = Promise.resolve();
  /** Read, and not yet told of: parts of the picture that is the last of it may be still to come. */
  #fresh: Recorded[] = [];
  readonly #known = nothingKnown();
  readonly #isPiece = pieces(this.#known);
  readonly #timeOf = timesFromStart();
  readonly #listeners = new Set<() => void>();
  readonly #address: (from: number) => string;

  constructor(address: (from: number) => string, sheets = new Sheets()) {
    this.#address = address;
    this.sheets = sheets;
    const summary = emptySummary(0);
    this.#state = { phase: "loading", error: undefined, summary, count: 0, isReady: false, version: 0 };
  }

  readonly state = (): State => this.#state;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Whether more may come: it is being loaded, or still being recorded. */
  isGrowing(): boolean {
    return this.#isLive || this.#state.phase === "loading";
  }

  setLive(isLive: boolean): void {
    this.#isLive = isLive;
    this.#set({});
  }

  /** Loads what is new on the server; only one load at a time. */
  load(signal: AbortSignal): Promise<void> {
    const read = async () => {
      if (signal.aborted) return;
      try {
        await this.#read(signal);
        this.#add();
        this.#set({ phase: "loaded", error: undefined });
      } catch (error) {
        // The rest of a picture comes with the next request.
        this.#addWhole();
        if (!signal.aborted) this.#set({ phase: "failed", error });
      }
    };
    this.#reading = this.#reading.then(read);
    return this.#reading;
  }

  async #read(signal: AbortSignal): Promise<void> {
    const answer = await fetch(this.#address(this.#next), { signal, headers: { Accept: "application/json" } });
    if (!answer.ok) throw new ApiError(answer.status, detailOf(answer.status, await answer.json().catch(() => null)));
    const next = Number(answer.headers.get("x-next-chunk"));
    const split = splitter();
    let known = this.#taken;
    this.#taken = 0;
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      const texts = split(part.value);
      const fresh = texts.slice(known);
      known -= texts.length - fresh.length;
      this.#taken += texts.length - fresh.length;
      await this.#take(fresh, signal);
    }
    this.#taken = 0;
    if (Number.isInteger(next) && next > this.#next) this.#next = next;
  }

  async #take(texts: string[], signal: AbortSignal): Promise<void> {
    let end = performance.now() + slice;
    for (const text of texts) {
      const event = this.#eventOf(text);
      if (this.#known.links.length > 0) await this.sheets.fill(this.#known);
      this.#state.summary.missingSheets = this.#known.missing.size;
      this.#taken += 1;
      if (event) this.#fresh.push(event);
      if (performance.now() < end) continue;
      this.#addWhole();
      await new Promise((done) => setTimeout(done));
      if (signal.aborted) throw signal.reason;
      end = performance.now() + slice;
    }
    this.#addWhole();
  }

  #eventOf(text: string): Recorded | undefined {
    let event: Recorded | undefined;
    try {
      event = sanitized(JSON.parse(text), this.#known);
    } catch {
      // It is as if it had not been sent.
    }
    const { summary } = this.#state;
    const isPiece = this.#isPiece(event);
    if (!event || isPiece || noteGap(summary, event)) return undefined;
    if (summary.start === 0) summary.start = event.timestamp;
    const at = this.#timeOf(event.timestamp);
    if (at === undefined) return undefined;
    event.timestamp = summary.start + at;
    note(summary, event, this.#known);
    return event;
  }

  #addWhole(): void {
    if (this.#fresh.at(-1)?.type !== EventType.FullSnapshot) this.#add();
  }

  #add(): void {
    const added = this.#fresh;
    this.#fresh = [];
    if (added.length === 0) return;
    for (const event of added) this.events.push(event);
    const { isReady } = this.#state;
    const begins =
      isReady || (this.events.length > 1 && this.events.some(({ type }) => type === EventType.FullSnapshot));
    this.#set({ count: this.events.length, isReady: begins });
    this.onEvents?.(added);
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change, version: this.#state.version + 1 };
    for (const listener of this.#listeners) listener();
  }
}
