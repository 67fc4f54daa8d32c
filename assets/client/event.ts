import type { Platform } from "./platform.ts";
import { randomId } from "./ids.ts";
import { images } from "./images.ts";
import { attempt, text } from "./safe.ts";
import type { Breadcrumb, Context, MaydayEvent, Options } from "./types.ts";
import { plain } from "./values.ts";

/** The server's version, because both are built together. */
declare const VERSION: string;

/** The levels that the server accepts. */
const levels = ["debug", "info", "warning", "error", "fatal"];

/** An exception or a message. */
export type Reportable = Pick<MaydayEvent, "exception" | "message">;

/** `Type: message`, or the message. */
export const titleOf = ({ exception, message }: Reportable): string =>
  exception ? `${exception.type}: ${exception.message}` : text(message);

/** Whether the settings let it through; an invalid sample rate counts as 1. */
export const isWanted = (title: string, { ignore, sampleRate = 1 }: Options): boolean =>
  !ignore?.some((each) => (typeof each === "string" ? title.includes(each) : title.search(each) >= 0)) &&
  !(Math.random() >= Number(sampleRate));

/** A new event, without what the page has set before. */
export const eventOf = (
  made: Reportable,
  { level, extra, fingerprint }: Context,
  { sdk, platform, about }: Platform,
  options: Options,
): Omit<MaydayEvent, "breadcrumbs"> => ({
  event_id: randomId(16),
  type: made.exception ? "exception" : "message",
  timestamp: Date.now(),
  level: levels.includes(level!) ? level : undefined,
  platform,
  sdk: { name: sdk, version: VERSION },
  release: options.release,
  environment: options.environment,
  ...about(options),
  extra: extra && plain(extra),
  fingerprint: fingerprint?.map(text),
  ...made,
  debug_meta: attempt(() => images(made.exception)),
});

/** The breadcrumb of an event, for later events. */
export const crumbOf = ({ exception }: Reportable, message: string): Breadcrumb =>
  exception ? { category: "exception", type: "error", level: "error", message } : { category: "message", message };
