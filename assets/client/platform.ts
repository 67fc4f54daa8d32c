import type { Breadcrumb, Exception, MaydayEvent, Options } from "./types.ts";

/** What a platform's watcher may do. */
export interface Hands {
  options: Options;
  /** Reports something nobody caught. `make` describes it; nothing is sent where it returns nothing. */
  report(mechanism: string, thrown: unknown, make: () => Exception | undefined): void;
  crumb(crumb: Breadcrumb): void;
  /** The id of what goes on now, which log entries and errors share; `next` begins another. */
  trace(next?: boolean): string;
  /** Sends what is waiting, in a way that outlives the page. */
  leave(): void;
  /** Tries again at once. */
  retry(): void;
  flush(limit: number): Promise<boolean>;
}

/** Where the client runs. */
export interface Platform {
  sdk: string;
  platform: string;
  /** Events in a minute; what is more is dropped. */
  most: number;
  /** The id of what goes on here, where that is known better than by the page. */
  traceOf?: () => string | undefined;
  /** Begins to watch for errors and breadcrumbs; what is returned ends that. */
  watch(hands: Hands): () => void;
  /** What an event says about where it happened. */
  about(options: Options): Partial<MaydayEvent>;
}
