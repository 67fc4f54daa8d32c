// Whether this browser shows a person's notifications by itself: the person's wish, which stays in this browser, and the
// browser's permission.

/** Where the wish is kept: the id of the person who has it. */
const key = "mayday.told-here";
/** The lock that every tab has as long as somebody sees it. */
export const seenLock = "mayday.seen";

/** Browsers have notifications, and the locks by which one tab alone shows them, on safe addresses only. */
export const canTellHere = (): boolean => "Notification" in globalThis && "locks" in navigator && isSecureContext;

/** Whether the person wants it, and may. */
export function isToldHere(person: number): boolean {
  return canTellHere() && Notification.permission === "granted" && wishIn() === String(person);
}

export function setToldHere(person: number, isOn: boolean): void {
  if (isOn) localStorage.setItem(key, String(person));
  else localStorage.removeItem(key);
}

function wishIn(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage is switched off.
    return null;
  }
}

/** Holds the lock while the page is seen, until the returned function is called. */
export function keepSeen(): () => void {
  if (!canTellHere()) return () => undefined;
  let waiting: AbortController | undefined;
  const look = () => {
    waiting?.abort();
    if (document.visibilityState !== "visible") return;
    const { signal } = (waiting = new AbortController());
    const held = () => new Promise<void>((leave) => signal.addEventListener("abort", () => leave()));
    navigator.locks.request(seenLock, { mode: "shared", signal }, held).catch(() => undefined);
  };
  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    waiting?.abort();
  };
}
