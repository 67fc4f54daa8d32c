/** Settings of the client. Only `key` and `url` are required. */
export interface Options {
  /** A project key with the scope `ingest`; it is public by nature. */
  key: string;
  /** The address of the Mayday server, such as `https://mayday.example`. */
  url: string;
  /** The version that is deployed, up to 128 characters; selects the source maps. */
  release?: string | undefined;
  /** Up to 64 characters. Default: that of the key, else `production`. */
  environment?: string | undefined;
  /** The share of errors and messages that are sent, 0 to 1. Log entries are always sent. Default: 1. */
  sampleRate?: number | undefined;
  /** Errors that are not sent: each is compared with `Type: message`. A text may stand anywhere in it. */
  ignore?: readonly (string | RegExp)[] | undefined;
  /** Sees each event before it is sent, may change it, and drops it by returning `null`. If it throws, the event is dropped. */
  beforeSend?: ((event: MaydayEvent) => MaydayEvent | null | undefined) | undefined;
  /** What leaves breadcrumbs by itself. Default: all four in a page; in Node nothing. */
  breadcrumbs?: readonly BreadcrumbSource[] | undefined;
  /** Whether requests to the page's own origin carry the trace id (`traceparent`). Default: true. */
  tracing?: boolean | undefined;
  /** Whether the session's id is kept in the browser's storage, so that pages share it. Default: true. */
  storage?: boolean | undefined;
}

export type BreadcrumbSource = "click" | "console" | "navigation" | "request";
export type Level = "debug" | "info" | "warning" | "error" | "fatal";
/** What ends up as text. */
export type Scalar = string | number | boolean;

export interface User {
  id?: string | number | undefined;
  email?: string | undefined;
  username?: string | undefined;
  name?: string | undefined;
}

/** The customer that a person belongs to. */
export interface Account {
  id?: string | number | undefined;
  name?: string | undefined;
}

export interface Breadcrumb {
  /** Milliseconds since the epoch. Default: now. */
  timestamp?: number | undefined;
  /** What kind of thing happened, such as `cart`. */
  category?: string | undefined;
  /** Up to 1,024 characters. */
  message?: string | undefined;
  level?: Level | undefined;
  type?: string | undefined;
  /** Texts of up to 1,024 characters, 5 levels deep. */
  data?: Record<string, unknown> | undefined;
}

/** What is said about one event. */
export interface Context {
  /** Default: `error` for exceptions, `info` for messages. */
  level?: Level | undefined;
  /** Added to those of `setTag`. */
  tags?: Record<string, Scalar> | undefined;
  /** Anything that helps; texts of up to 1,024 characters, 5 levels deep. */
  extra?: Record<string, unknown> | undefined;
  /** Groups events by these parts; `{{ default }}` stands for the server's own grouping. */
  fingerprint?: readonly string[] | undefined;
}

/** An exception as `POST /api/v1/errors` takes it. */
export interface Exception {
  type: string;
  message: string;
  stack?: string;
  mechanism?: { type: string; handled: boolean };
  cause?: Exception;
}

/** What is sent, without the key; `beforeSend` may change it. */
export interface MaydayEvent {
  event_id: string | undefined;
  type: "exception" | "message";
  /** Milliseconds since the epoch. */
  timestamp: number;
  level?: Level | undefined;
  exception?: Exception | undefined;
  message?: string | undefined;
  platform: string;
  sdk: { name: string; version: string };
  release?: string | undefined;
  environment?: string | undefined;
  url?: string | undefined;
  user_agent?: string | undefined;
  user?: Record<string, string> | undefined;
  account?: Record<string, string> | undefined;
  session_id?: string | undefined;
  window_id?: string | undefined;
  /** Of the replay that shows it. */
  replay_id?: string | undefined;
  trace_id?: string | undefined;
  tags?: Record<string, string> | undefined;
  extra?: unknown;
  contexts?: Record<string, Record<string, string>> | undefined;
  fingerprint?: string[] | undefined;
  breadcrumbs: Breadcrumb[];
  debug_meta?: { images: { type: "sourcemap"; code_file: string; debug_id: string }[] } | undefined;
}

/**
 * Writes a log entry, in one of two forms:
 *
 *     logger.info`Order ${{ order }} was paid by ${name}`
 *     logger.info("Order {order} was paid", { order, total })
 *
 * Entries with the same template belong together. A value in a template is named by an object with that one field,
 * and by its position (`{0}`) otherwise.
 */
export interface Log {
  (strings: TemplateStringsArray, ...values: unknown[]): void;
  (message: string, attributes?: Record<string, unknown>): void;
}

export interface Logger {
  trace: Log;
  debug: Log;
  info: Log;
  warn: Log;
  error: Log;
  fatal: Log;
}

/** Nothing in it ever throws. */
export interface Mayday {
  /** Starts the client. False if it is running already, or if the key or the address cannot be used. */
  init(options: Options): boolean;
  /** Reports whatever was thrown. The event's id, or undefined if it is not sent. */
  captureException(thrown: unknown, context?: Context): string | undefined;
  /** Reports a text. The event's id, or undefined if it is not sent. */
  captureMessage(message: string, context?: Context): string | undefined;
  logger: Logger;
  /** Who uses the page, for all that is sent from now on; `null` for nobody. */
  setUser(user: User | null): void;
  /** The customer that the person belongs to; `null` for none. */
  setAccount(account: Account | null): void;
  /** A tag of all events from now on, up to 200 characters; `null` removes it. */
  setTag(name: string, value: Scalar | null): void;
  /** Adds one to the newest 100, which are sent with the next events. */
  addBreadcrumb(breadcrumb: Breadcrumb): void;
  /** Sends what is waiting. True once all of it has arrived, false after `limit` milliseconds (default 2,000). */
  flush(limit?: number): Promise<boolean>;
  /** Ends the client as `flush` does, and leaves everything in the page as it was before. */
  close(limit?: number): Promise<boolean>;
}

/** What a replay records, and when. */
export interface ReplayOptions {
  /** `always`: from now on. `error`: the five minutes before an error, and five after it. Default: `always`. */
  mode?: "always" | "error" | undefined;
  /** Whether all text is masked, and not only what people enter. Default: false. */
  maskAllText?: boolean | undefined;
  /** Whether addresses keep their queries, without what sounds secret. Default: false. */
  queries?: boolean | undefined;
}

/** What is being recorded of the person. */
export interface ReplayState {
  /**
   * `off`: nothing. `opted-out`: nothing, because the person does not want it. `buffering`: the last five minutes, in the
   * page's memory; they are sent if an error happens, else never. `recording`: everything, which is being sent.
   */
  state: "off" | "opted-out" | "buffering" | "recording";
  /** The replay's id on the server, once something of it is sent. */
  id?: string | undefined;
  /** When it began, in milliseconds since the epoch. */
  started?: number | undefined;
}

/** `mayday-client/replay`. Nothing in it ever throws. */
export interface Replay {
  /** Says what is being recorded, so that a page can show it to the person. */
  replay(): ReplayState;
  /** Starts to record. False if the client does not run, something records already, or the person opted out. */
  startReplay(options?: ReplayOptions): boolean;
  /** Ends the recording, and sends what is left of it. */
  stopReplay(): void;
  /**
   * Notes in this browser that the person does not want to be recorded: ends the recordings of all tabs, and drops what
   * was not sent yet. `false` takes it back.
   */
  optOutOfReplay(out?: boolean): void;
}

/** The global `mayday`, which fetches the recorder when it is asked for. */
export interface ScriptMayday extends Mayday {
  replay(): Promise<ReplayState>;
  startReplay(options?: ReplayOptions): Promise<boolean>;
  stopReplay(): Promise<void>;
  optOutOfReplay(out?: boolean): Promise<void>;
}

/** The client in Node. */
export interface NodeMayday extends Mayday {
  /**
   * Runs something as part of a trace, so that log entries and errors in it are found together; also what goes on
   * after an `await`. `traceparent` is the header of the request that is answered; without a usable one it is a new trace.
   */
  withTrace<T>(traceparent: unknown, act: () => T): T;
}
