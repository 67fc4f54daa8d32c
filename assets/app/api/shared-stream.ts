// One stream for all tabs of a browser: over HTTP/1.1 a site gets six connections, and each stream keeps one, so that
// a seventh tab would wait for ever. The tab that has a lock holds the stream and tells the others what comes; when it
// goes, the next one gets the lock. Where a browser has no locks (pages without https), each tab has its own stream.

import type { Hear, Heard, Message } from "./stream.ts";

/** How often the tab with the stream says that it is there, and how long others wait for that, in milliseconds. */
const beat = 5_000;
const silence = 20_000;
/** Messages that are kept for tabs that were away. */
const keptMax = 200;

/** What tabs say to one another. */
type Said =
  | { kind: "told"; heard: Heard }
  | { kind: "beat" }
  /** By a tab that joins: what it knows of the stream. */
  | { kind: "joined"; tab: string; last: string | undefined }
  | { kind: "stands"; tab: string; isOpen: boolean; missed: Message[] };

/** What a browser gives, as far as it is needed here. */
export interface Tools {
  locks: { request(name: string, options: LockOptions, run: () => Promise<void>): Promise<unknown> };
  channel(name: string): Pick<BroadcastChannel, "postMessage" | "close" | "onmessage">;
}

export interface Stream {
  /** The same for all tabs that share it. */
  name: string;
  /** Opens it behind what is known; the answer closes it. */
  open: (hear: Hear) => () => void;
  /** The last message that this tab knows. */
  last: () => string | undefined;
  /** Each message tells everything: whoever joins needs the last one alone. */
  isWhole?: boolean;
  hear: Hear;
}

/** Takes part in a stream until the returned function is called. */
export function joinStream(stream: Stream, tools: Tools | undefined = ours()): () => void {
  return tools ? new Member(stream, tools).join() : stream.open(stream.hear);
}

function ours(): Tools | undefined {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  if (!locks || !globalThis.BroadcastChannel) return undefined;
  return { locks, channel: (name) => new BroadcastChannel(name) };
}

/** A tab among those that share a stream. */
class Member {
  readonly #tab = `${Math.random()}`;
  readonly #line: ReturnType<Tools["channel"]>;
  /** Ends what this tab does as the one with the stream. */
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
    this.#line.onmessage = ({ data }: MessageEvent<Said>) => this.#listen(data);
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

  /** Waits for the lock, and holds the stream as long as it has it. */
  async #stand(how: { steal?: boolean }): Promise<void> {
    const waiting = new AbortController();
    this.#waiting = waiting;
    const options = how.steal ? { steal: true } : { signal: waiting.signal };
    try {
      await this.tools.locks.request(this.stream.name, options, () =>
        this.#left ? Promise.resolve() : new Promise<void>((leave) => this.#lead(leave)),
      );
    } catch (error) {
      // It was asked for in another way, or somebody took it; else there are no locks to be had.
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

  #say(said: Said): void {
    if (!this.#left) this.#line.postMessage(said);
  }

  #listen(said: Said): void {
    if (this.#left) return;
    if (said.kind === "joined") {
      this.#welcome(said);
      return;
    }
    // Whoever was thought dead and had the lock taken hears the other one before it knows.
    if (this.#leading) return;
    this.#trust();
    if (said.kind === "told") this.#hear(said.heard);
    if (said.kind !== "stands" || said.tab !== this.#tab) return;
    for (const message of said.missed) this.#hear({ kind: "message", message });
    if (said.isOpen && !this.#isOpen) this.#hear({ kind: "open" });
  }

  /** Tells a tab that joins where the stream stands, and what it missed. */
  #welcome({ tab, last }: { tab: string; last: string | undefined }): void {
    if (this.#leading) this.#say({ kind: "stands", tab, isOpen: this.#isOpen, missed: this.#since(last) });
  }

  #since(last: string | undefined): Message[] {
    if (this.stream.isWhole) return this.#kept.slice(-1);
    const now = this.stream.last();
    if (last === undefined || last === now) return [];
    const at = this.#kept.findIndex(({ id }) => id === last);
    // As the server says it of what it does not know.
    if (at < 0) return [{ type: "issue", id: now ?? last, data: '{"ids":[],"more":true}' }];
    // The first of two messages names the position before both: whoever stands there has neither, or can hear it again.
    const [found, next] = this.#kept.slice(at);
    const isFirstOfTwo = found?.type === "issue" && next?.type === "event" && next.id !== last;
    return this.#kept.slice(isFirstOfTwo ? at : at + 1);
  }

  #hear(heard: Heard): void {
    if (heard.kind === "message") this.#kept = [...this.#kept.slice(1 - keptMax), heard.message];
    else this.#isOpen = heard.kind === "open";
    this.stream.hear(heard);
  }

  /**
   * Takes the stream from a tab that says nothing any more: browsers may put one to sleep with all it holds. A tab that
   * nobody sees waits: its clock, and that of others like it, may go by minutes.
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
