import { attempt, letGo } from "./safe.ts";

/** Bytes in flight that a browser lets outlive the page; 64 KiB by the standard, without headers. */
const OUTLIVING = 60_000;
/** The most waiting requests; further ones are dropped. */
const WAITING = 50;
/** The most concurrent requests. */
const AT_ONCE = 10;
/** The pause before the first retry, which doubles with each failure, and the longest, in milliseconds. */
const PAUSE = 1_000;
const PAUSE_MOST = 300_000;
/** How often the server may fail on a request. */
const TRIES = 5;

interface Parcel {
  path: string;
  body: string;
  /** Lets the server recognize a repeated request. */
  id: string | undefined;
  size: number;
  tries: number;
  retried?: boolean;
}

export interface Sender {
  send(path: string, body: string, id?: string): void;
  /** Retries at once, for example when back online; `leaving`: in requests that outlive the page. */
  hurry(leaving?: boolean): void;
  /** Resolves to true when nothing is waiting or in flight, to false after the limit in milliseconds. */
  flush(limit: number): Promise<boolean>;
}

/**
 * Sends bodies to the server, as `text/plain` to avoid preflights, and without cookies. Failures are retried at
 * growing intervals; after 429 or 503 not before `Retry-After`; after 401 or 403 never, and nothing is sent from then
 * on.
 */
export function sender(origin: string, post: typeof fetch | undefined = attempt(() => fetch)): Sender {
  let waiting: Parcel[] = [];
  let atOnce = 0;
  let underWay = 0;
  let failures = 0;
  let pausedUntil = 0;
  /** Whether the server asked for the pause. */
  let told = false;
  let refused = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const pause = (parcel: Parcel, seconds?: string | null): void => {
    const own = Math.min(PAUSE * 2 ** failures++, PAUSE_MOST) * (0.75 + Math.random() / 4);
    told = Number(seconds) > 0;
    pausedUntil = performance.now() + (told ? Number(seconds) * 1_000 : own);
    parcel.retried = true;
    waiting.push(parcel);
  };

  const settle = (parcel: Parcel, failed: boolean, answer?: Response): void => {
    const status = attempt(() => answer!.status) || 0;
    atOnce -= 1;
    underWay -= parcel.size;
    if (status === 401 || status === 403) {
      refused = true;
      waiting = [];
    } else if (status === 429 || status === 503)
      pause(
        parcel,
        attempt(() => answer!.headers.get("Retry-After")),
      );
    else if (failed) pause(parcel);
    else if (status >= 500 && (parcel.tries += 1) < TRIES) pause(parcel);
    // A page's own fetch may return anything; what is not an answer counts as sent.
    else failures = 0;
    pump();
  };

  const deliver = (parcel: Parcel, leaving?: boolean): void => {
    const { path, body, id, size } = parcel;
    // The page's other requests may have used up the browser's limit, so a retry does not ask to outlive the page.
    const keepalive = underWay + size < OUTLIVING && (leaving || !parcel.retried);
    const beacon = () => attempt(() => navigator.sendBeacon(origin + path, body));
    if (leaving && !("keepalive" in Request.prototype)) {
      beacon();
      return;
    }
    atOnce += 1;
    underWay += size;
    const sent = attempt(() =>
      post!(origin + path, {
        method: "POST",
        body,
        mode: "cors",
        credentials: "omit",
        keepalive: !!keepalive,
        // This header causes a preflight, which a page that is left does not wait for.
        ...(id && !leaving && { headers: { "Idempotency-Key": id } }),
      }),
    );
    if (!sent) beacon();
    // Until its answer is read, Chromium counts a request among those that outlive the page.
    Promise.resolve(sent).then(
      (answer) => {
        const end = (): void => settle(parcel, false, answer);
        Promise.resolve(attempt(() => answer!.text())).then(end, end);
      },
      () => settle(parcel, true),
    );
  };

  const pump = (leaving?: boolean): void => {
    clearTimeout(timer);
    while (waiting.length && (leaving || atOnce < (failures ? 1 : AT_ONCE))) {
      const left = pausedUntil - performance.now();
      if (left > 0) {
        timer = setTimeout(() => pump(), left);
        letGo(timer);
        return;
      }
      if (attempt(() => navigator.onLine) === false) return;
      if (leaving && underWay + waiting[0]!.size >= OUTLIVING) return;
      deliver(waiting.shift()!, leaving);
    }
  };

  return {
    send(path, body, id) {
      if (refused || waiting.length >= WAITING) return;
      waiting.push({ path, body, id, size: new Blob([body]).size, tries: 0 });
      pump();
    },
    hurry(leaving) {
      if (!told) pausedUntil = 0;
      pump(leaving);
    },
    flush(limit) {
      const end = performance.now() + limit;
      pump();
      return new Promise((done) => {
        const look = (): void => {
          if (!waiting.length && !atOnce) done(!refused);
          else if (performance.now() > end) done(false);
          else setTimeout(look, 20);
        };
        look();
      });
    },
  };
}
