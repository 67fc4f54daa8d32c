import { listen } from "../listen.ts";
import { attempt } from "../safe.ts";

/** A replay in progress, stored for the next page in the window. */
export interface ReplayHandover {
  id: string;
  session_id: string;
  window_id: string;
  /** The number of its next chunk. */
  next: number;
  /** Milliseconds since the epoch. */
  started: number;
  /** When it ends at the latest. */
  until: number;
  /** Events that could not be sent and were not reported yet. */
  lost: number;
  /** Those that the server refused. */
  refused?: number | undefined;
  /** The error that started it. */
  event_id?: string | undefined;
}

const NAME = "mayday.replay";
const numbers = ["next", "started", "until", "lost"] as const;

/**
 * Takes what the previous page stored, if it belongs to this session and is not over. It is removed at the same time:
 * a copy of this window starts with a copy of its storage, and must not number chunks of the same replay.
 */
export function take(session: string, now: number): ReplayHandover | undefined {
  return attempt(() => {
    const text = sessionStorage.getItem(NAME);
    sessionStorage.removeItem(NAME);
    const kept = JSON.parse(text || "null") as ReplayHandover;
    const isWhole = /^[0-9a-f]{32}$/.test(kept.id) && numbers.every((name) => Number.isFinite(kept[name]));
    return isWhole && kept.session_id === session && now < kept.until && now >= kept.started ? kept : undefined;
  });
}

export const put = (kept: ReplayHandover): void => {
  attempt(() => sessionStorage.setItem(NAME, JSON.stringify(kept)));
};

const OFF = "off";
const stored = (): boolean => attempt(() => localStorage.getItem(NAME)) === OFF;
/** Whether the person opted out here and the browser did not store it: then it holds for as long as the page lives. */
let isOut = false;
const acts: (() => void)[] = [];

/** Whether the person opted out of recording in this browser. */
export const isOptedOut = (): boolean => isOut || stored();

export function optOut(out: boolean): void {
  attempt(() => (out ? localStorage.setItem(NAME, OFF) : localStorage.removeItem(NAME)));
  isOut = out && !stored();
  obey();
}

/** Calls this function when the person opts out, in this page or in another tab. */
export function onOptOut(act: () => void): void {
  acts.push(act);
  // While it is in the back-forward cache, a page hears of nothing.
  if (acts.length === 1) listen(globalThis, ["storage", "pageshow"], obey);
}

/** Forgets what the previous page stored. */
export const forget = (): void => {
  attempt(() => sessionStorage.removeItem(NAME));
};

function obey(): void {
  if (!isOptedOut()) return;
  forget();
  for (const act of acts) attempt(act);
}
