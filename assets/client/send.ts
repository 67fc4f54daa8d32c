import { attempt } from "./safe.ts";

/** Bytes under way that a browser lets outlive the page; 64 KiB by the standard, headers aside. */
const OUTLIVING = 60_000;
/** Milliseconds of silence when a refusal does not say how long. */
const PAUSE = 60_000;

/**
 * Sends bodies to an address, as `text/plain` so that no preflight is needed, without cookies.
 * What fails is lost without a word: a retry would need a queue, and a page has other things to do.
 * Answered 429 or 503 it is silent as long as `Retry-After` says, answered 401 for good.
 */
export function sender(address: string): (body: string, now: number) => void {
  let underWay = 0;
  let silentUntil = 0;
  return (body, now) => {
    if (now < silentUntil) return;
    const size = new Blob([body]).size;
    // Beacons share the browser's 64 KiB, so they are for where fetch is missing or broken.
    const sent = attempt(() =>
      fetch(address, {
        method: "POST",
        body,
        mode: "cors",
        credentials: "omit",
        keepalive: underWay + size < OUTLIVING,
      }),
    );
    if (!sent) {
      attempt(() => navigator.sendBeacon(address, body));
      return;
    }
    underWay += size;
    const done = (answer?: Response): void => {
      underWay -= size;
      const status = attempt(() => answer!.status);
      if (status === 401) silentUntil = Infinity;
      if (status === 429 || status === 503) {
        const wait = Number(attempt(() => answer!.headers.get("Retry-After"))) * 1_000;
        silentUntil = now + (wait || PAUSE);
      }
    };
    // A page's own fetch may answer with anything; what is no promise counts as done.
    Promise.resolve(sent).then(done, () => done());
  };
}
