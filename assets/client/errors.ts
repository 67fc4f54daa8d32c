import type { Hands } from "./platform.ts";
import { describe, describeText } from "./describe.ts";
import { listen } from "./listen.ts";
import type { Exception } from "./types.ts";

/** What browsers say when a page's layout took two frames: no error, and nothing to mend. */
const harmless = /^ResizeObserver loop/;

interface Queue {
  push: (event: Event) => unknown;
  splice: (from: number) => Event[];
}

/** Errors that nobody caught, also those that the page kept before the client had loaded. */
export function watchErrors({ report }: Hands): () => void {
  let hidden = false;

  const ofError = ({ error, message, filename, lineno, colno }: ErrorEvent): Exception | undefined => {
    const place = filename && lineno ? `${filename}:${lineno}:${colno || 1}` : undefined;
    if (error != null) return describe(error, "Error", place);
    if (!message || harmless.test(message)) return undefined;
    if (!place) {
      // "Script error.": from a script of another origin without `crossorigin`. Once is enough.
      if (hidden) return undefined;
      hidden = true;
    }
    return describeText(message, place);
  };

  const handle = (event: Event): void => {
    const { error, reason } = event as ErrorEvent & PromiseRejectionEvent;
    if (event.type === "error") report("onerror", error, () => ofError(event as ErrorEvent));
    else report("onunhandledrejection", reason, () => describe(reason, "UnhandledRejection"));
  };

  const queue = (globalThis as { maydayQueue?: Queue }).maydayQueue;
  if (!queue) return listen(globalThis, ["error", "unhandledrejection"], handle, false);
  // The page's listeners go on filling it, so from now on filling it is reporting.
  queue.splice(0).forEach(handle);
  queue.push = handle;
  return () => {
    queue.push = () => {};
  };
}
