// Limits the requests caused by live messages. The server accepts 1,000 requests an hour from a person; a busy
// project must leave most of them to what the person does.

/**
 * Requests that may be sent at once: a page sends about two for each message, so some twenty messages are followed
 * quickly.
 */
export const burst = 40;
/** Milliseconds to refill one request: 240 an hour, so with the burst never more than 280. */
export const refill = 15_000;
/** The storage key; the tabs of a browser share the budget. */
const key = "mayday.live-budget";

interface State {
  /** Requests left; negative if a round took more than there were. */
  left: number;
  /** The time of this value, in milliseconds. */
  at: number;
}
export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export interface Budget {
  /** Milliseconds until requests are left. */
  wait(): number;
  /** Takes this many requests. */
  take(requests: number): void;
}

/** A budget shared through a store; without one, each tab has half of it. */
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

/** The browser's storage, if it is writable. */
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
