// Shares one stream among all tabs of a browser: over HTTP/1.1 a site gets six connections, and each stream occupies
// one, so a seventh tab would wait forever. The tab that holds a lock has the stream and forwards its messages to the
// others; when it closes, the next one gets the lock. If a browser has no locks (on pages without https), each tab
// has its own stream.

import type { Message, StreamEvent, StreamHandler } from "./stream.ts";

/** How often the tab with the stream sends a sign of life, and how long the others wait for one, in milliseconds. */
const beat = 5_000;
const silence = 20_000;
/** Messages kept for tabs that return. */
const keptMax = 200;

/** The messages between tabs. */
type TabMessage =
  | { kind: "told"; heard: StreamEvent }
  | { kind: "beat" }
  /** From a tab that joins: the last position it knows. */
  | { kind: "joined"; tab: string; last: string | undefined }
  | { kind: "stands"; tab: string; isOpen: boolean; missed: Message[] };

/** The browser's features that are needed here. */
export interface Tools {
  locks: { request(name: string, options: LockOptions, run: () => Promise<void>): Promise<unknown> };
  channel(name: string): Pick<BroadcastChannel, "postMessage" | "close" | "onmessage">;
}

export interface Stream {
  /** The same name in all tabs that share the stream. */
  name: string;
  /** Opens the stream after the last known message; the returned function closes it. */
  open: (hear: StreamHandler) => () => void;
  /** The last message that this tab received. */
  last: () => string | undefined;
  /** Whether each message has the whole state, so that a joining tab needs only the last one. */
  isWhole?: boolean;
  hear: StreamHandler;
}

/** Joins a stream until the returned function is called. */
export function joinStream(stream: Stream, tools: Tools | undefined = ours()): () => void {
  return tools ? new Member(stream, tools).join() : stream.open(stream.hear);
}

function ours(): Tools | undefined {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  if (!locks || !globalThis.BroadcastChannel) return undefined;
  return { locks, channel: (name) => new BroadcastChannel(name) };
}

/** A tab that shares the stream. */
class Member {
  readonly #tab = `${Math.random()}`;
  readonly #line: ReturnType<Tools["channel"]>;
  /** Stops what this tab does as the holder of the stream. */
  #leading: (() => void) | undefined;
  #waiting: AbortController | undefined;
  #doubt: ReturnType<typeof setTimeout> | undefined;
  #left = false;
  #isOpen = false;
  #kept: Message[] = [];

  constructor(
    readonly stream: Stream,
    readonly tools: Tools,
  ) {
    this.#line = tools.channel(stream.name);
  }

  join(): () => void {
    this.#line.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#listen(data);
    void this.#stand({});
    this.#say({ kind: "joined", tab: this.#tab, last: this.stream.last() });
    this.#trust();
    return () => {
      this.#left = true;
      clearTimeout(this.#doubt);
      this.#waiting?.abort();
      this.#leading?.();
      this.#line.close();
    };
  }

  /** Waits for the lock, and holds the stream as long as it has the lock. */
  async #stand(how: { steal?: boolean }): Promise<void> {
    const waiting = new AbortController();
    this.#waiting = waiting;
    const options = how.steal ? { steal: true } : { signal: waiting.signal };
    try {
      await this.tools.locks.request(this.stream.name, options, () =>
        this.#left ? Promise.resolve() : new Promise<void>((leave) => this.#lead(leave)),
      );
    } catch (error) {
      // The request was replaced, or another tab took the lock; any other error means that there are no locks.
      if (!(error instanceof Error && error.name === "AbortError"))
        return this.#left ? undefined : this.#lead(() => undefined);
    }
    if (this.#waiting !== waiting || this.#left) return;
    this.#leading?.();
    this.#trust();
    void this.#stand({});
  }

  #lead(leave: () => void): void {
    clearTimeout(this.#doubt);
    const close = this.stream.open((heard) => {
      this.#say({ kind: "told", heard });
      this.#hear(heard);
    });
    const beats = setInterval(() => this.#say({ kind: "beat" }), beat);
    this.#leading = () => {
      this.#leading = undefined;
      this.#isOpen = false;
      clearInterval(beats);
      close();
      leave();
    };
  }

  #say(said: TabMessage): void {
    if (!this.#left) this.#line.postMessage(said);
  }

  #listen(said: TabMessage): void {
    if (this.#left) return;
    if (said.kind === "joined") {
      this.#welcome(said);
      return;
    }
    // A tab whose lock was taken receives the new holder's messages before it notices.
    if (this.#leading) return;
    this.#trust();
    if (said.kind === "told") this.#hear(said.heard);
    if (said.kind !== "stands" || said.tab !== this.#tab) return;
    for (const message of said.missed) this.#hear({ kind: "message", message });
    if (said.isOpen && !this.#isOpen) this.#hear({ kind: "open" });
  }

  /** Tells a joining tab the current position, and what it missed. */
  #welcome({ tab, last }: { tab: string; last: string | undefined }): void {
    if (this.#leading) this.#say({ kind: "stands", tab, isOpen: this.#isOpen, missed: this.#since(last) });
  }

  #since(last: string | undefined): Message[] {
    if (this.stream.isWhole) return this.#kept.slice(-1);
    const now = this.stream.last();
    if (last === undefined || last === now) return [];
    const at = this.#kept.findIndex(({ id }) => id === last);
    // The server says the same about what it does not know.
    if (at < 0) return [{ type: "issue", id: now ?? last, data: '{"ids":[],"more":true}' }];
    // The first of two parts has the position before both, so a tab at that position has received neither, or can
    // receive it twice.
    const [found, next] = this.#kept.slice(at);
    const isFirstOfTwo = found?.type === "issue" && next?.type === "event" && next.id !== last;
    return this.#kept.slice(isFirstOfTwo ? at : at + 1);
  }

  #hear(heard: StreamEvent): void {
    if (heard.kind === "message") this.#kept = [...this.#kept.slice(1 - keptMax), heard.message];
    else this.#isOpen = heard.kind === "open";
    this.stream.hear(heard);
  }

  /**
   * Takes the lock from a tab that sends no sign of life: browsers may freeze a tab with everything it holds. A
   * hidden tab waits, because its own timers may be minutes late.
   */
  #trust(): void {
    clearTimeout(this.#doubt);
    if (this.#leading) return;
    this.#doubt = setTimeout(() => {
      if (globalThis.document?.visibilityState === "hidden") return this.#trust();
      this.#waiting?.abort();
      void this.#stand({ steal: true });
    }, silence);
  }
}
