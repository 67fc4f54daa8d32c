// How much is asked because of live messages. The server takes 1,000 requests an hour from a person;
// a project where something happens all the time must leave most of them to what the person does.

/** Requests that may come at once: a page asks about two for each message, so some twenty messages are followed quickly. */
export const burst = 40;
/** What comes back, in milliseconds for each request: 240 an hour, with the burst never more than 280 in one. */
export const refill = 15_000;
/** Where the tabs of a browser share it. */
const key = "mayday.live-budget";

interface State {
  /** Requests that are left; below nothing when a round took more than there was. */
  left: number;
  /** When that was, in milliseconds of the clock. */
  at: number;
}
export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export interface Budget {
  /** Milliseconds until there is something left. */
  wait(): number;
  /** So many requests were made. */
  take(requests: number): void;
}

/** A budget that everybody with the same store shares; without one each tab has half of its own. */
export function makeBudget(now: () => number, store?: Store): Budget {
  let own: State | undefined;
  const share = store === undefined ? 0.5 : 1;
  const [most, each] = [burst * share, refill / share];
  const read = (): State => {
    const known = parse(store?.getItem(key)) ?? own ?? { left: most, at: now() };
    // After the clock was set back, time counts from now.
    if (known.at > now()) return keep({ ...known, at: now() });
    const passed = now() - known.at;
    return { left: Math.min(most, known.left + passed / each), at: now() };
  };
  const keep = (state: State): State => {
    own = state;
    store?.setItem(key, JSON.stringify(state));
    return state;
  };
  return {
    wait: () => {
      const { left } = read();
      return left >= 1 ? 0 : Math.ceil((1 - left) * each);
    },
    take: (requests) => {
      const { left, at } = read();
      keep({ left: left - requests, at });
    },
  };
}

function parse(text: string | null | undefined): State | undefined {
  try {
    const { left, at } = JSON.parse(text ?? "") as Partial<State>;
    return Number.isFinite(left) && Number.isFinite(at)
      ? { left: Math.max(left as number, -burst), at: at as number }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The browser's own store, where it can be written. */
function usable(): Store | undefined {
  try {
    const probe = `${key}.probe`;
    localStorage.setItem(probe, "");
    localStorage.removeItem(probe);
    return localStorage;
  } catch {
    return undefined;
  }
}

export const liveBudget = makeBudget(Date.now, usable());
