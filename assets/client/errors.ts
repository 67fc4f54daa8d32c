import type { WatcherApi } from "./platform.ts";
import { describe, describeText } from "./describe.ts";
import { listen } from "./listen.ts";
import type { Exception } from "./types.ts";

/** Browsers report this when a layout takes two frames; it is not an error. */
const harmless = /^ResizeObserver loop/;

interface Queue {
  push: (event: Event) => unknown;
  splice: (from: number) => Event[];
}

/** Watches for uncaught errors, including those that the page recorded before the client was loaded. */
export function watchErrors({ report }: WatcherApi): () => void {
  let hidden = false;

  const ofError = ({ error, message, filename, lineno, colno }: ErrorEvent): Exception | undefined => {
    const place = filename && lineno ? `${filename}:${lineno}:${colno || 1}` : undefined;
    if (error != null) return describe(error, "Error", place);
    if (!message || harmless.test(message)) return undefined;
    if (!place) {
      // "Script error." is from a script of another origin without `crossorigin`. One report is enough.
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
  // The page's listeners keep pushing to the queue, so each push now reports.
  queue.splice(0).forEach(handle);
  queue.push = handle;
  return () => {
    queue.push = () => {};
  };
}
