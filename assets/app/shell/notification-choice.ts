// Whether this browser shows notifications: depends on the person's choice, which is stored in this browser, and on
// the browser's permission.

/** The storage key of the choice: the id of the person who made it. */
const key = "mayday.told-here";
/** The newest notification that any tab has shown, or had while it was visible. */
const last = "mayday.told-here.last";
/** The lock that every visible tab holds. */
export const seenLock = "mayday.seen";

/** Browsers offer notifications, and the locks that let only one tab show them, only in secure contexts. */
export const canTellHere = (): boolean => "Notification" in globalThis && "locks" in navigator && isSecureContext;

/** Whether the person chose it, and the browser permits it. */
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
    // Storage is disabled.
    return null;
  }
}

/** Whether the notification was shown, or came while a tab was visible. */
export const isTold = (id: number): boolean => Number(localStorage.getItem(last)) >= id;

export function setTold(id: number): void {
  if (!isTold(id)) localStorage.setItem(last, String(id));
}

/**
 * Holds the lock while the page is visible, until the returned function is called. What the page has when it is hidden is
 * not shown later: `newest` returns the id of its newest notification.
 */
export function keepSeen(newest: () => number | undefined): () => void {
  if (!canTellHere()) return () => undefined;
  let waiting: AbortController | undefined;
  const look = () => {
    waiting?.abort();
    if (document.visibilityState !== "visible") {
      const id = waiting && newest();
      if (id !== undefined && wishIn() !== null) setTold(id);
      waiting = undefined;
      return;
    }
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
