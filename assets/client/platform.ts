import type { Breadcrumb, Exception, MaydayEvent, Options } from "./types.ts";

/** What a platform's watchers can call. */
export interface WatcherApi {
  options: Options;
  /** Reports an uncaught error. `make` describes it; nothing is sent if it returns nothing. */
  report(mechanism: string, thrown: unknown, make: () => Exception | undefined): void;
  crumb(crumb: Breadcrumb): void;
  /** The current trace id, shared by log entries and errors; `next` begins another trace. */
  trace(next?: boolean): string;
  /** Sends what is waiting in requests that outlive the page. */
  leave(): void;
  /** Retries at once. */
  retry(): void;
  flush(limit: number): Promise<boolean>;
}

/** The platform on which the client runs. */
export interface Platform {
  sdk: string;
  platform: string;
  /** The most events in a minute; further ones are dropped. */
  most: number;
  /** The current trace id, if the platform knows it better than the page. */
  traceOf?: () => string | undefined;
  /** Starts watching for errors and breadcrumbs; the returned function ends that. */
  watch(api: WatcherApi): () => void;
  /** The fields of an event that describe its platform. */
  about(options: Options): Partial<MaydayEvent>;
}
