/**
 * The browser client: reports what a page throws and does not catch.
 *
 *     <script src="https://HOST/client.js" data-key="pk_…" data-release="1.4.2"
 *       data-environment="staging" crossorigin async></script>
 *
 * `mayday.captureException(error)` reports one that was caught. It never throws into the page, logs
 * nothing, and leaves the browser's own handling of errors as it is.
 *
 * Errors from before it has loaded are reported too where a page keeps them, first of all scripts:
 *
 *     <script>maydayQueue=[];for(const type of["error","unhandledrejection"])
 *       addEventListener(type,(event)=>maydayQueue.push(event))</script>
 */
import { type Exception, describe, describeText } from "./describe.ts";
import { limiter } from "./limit.ts";
import { attempt } from "./safe.ts";
import { sender } from "./send.ts";

/** Of the server, since both are built together. */
declare const VERSION: string;

/** What browsers say when a page's layout took two frames: no error, and nothing to mend. */
const harmless = /^ResizeObserver loop/;

interface Page extends Window {
  mayday?: { captureException: (error: unknown) => void } | undefined;
  maydayQueue?: { push: (event: Event) => unknown; splice: (from: number) => Event[] } | undefined;
}

function install(page: Page): void {
  const scripts = [document.currentScript, document.querySelector('script[data-key][src*="client.js"]')];
  // A module loader runs it without a current script.
  const script = scripts.find((element) => attempt(() => (element as HTMLElement).dataset.key)) as HTMLScriptElement;
  if (!script || attempt(() => page.mayday!.captureException)) return;
  const { key, release, environment } = script.dataset;
  const send = sender(`${new URL(script.src).origin}/api/v1/errors`);
  const allows = limiter();
  let busy = false;
  let hidden = false;

  const report = (type: string, handled: boolean, make: () => Exception | undefined): void => {
    // Whatever is thrown in here, by the page's own getters or patches, is not looked at again.
    if (busy) return;
    busy = true;
    attempt(() => {
      const exception = make();
      const now = performance.now();
      if (!exception || !allows(`${exception.type}\n${exception.message}\n${exception.stack}`, now)) return;
      exception.mechanism = { type, handled };
      const body = JSON.stringify({
        api_key: key,
        event_id: attempt(randomId),
        type: "exception",
        timestamp: Date.now(),
        platform: "javascript",
        sdk: { name: "mayday.browser", version: VERSION },
        release,
        environment,
        url: location.href.slice(0, 2_048),
        user_agent: navigator.userAgent,
        exception,
      });
      send(body, now);
    });
    busy = false;
  };

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

  const onError = (event: Event): void => report("onerror", false, () => ofError(event as ErrorEvent));
  const onRejection = (event: Event): void =>
    report("onunhandledrejection", false, () =>
      describe((event as PromiseRejectionEvent).reason, "UnhandledRejection"),
    );
  const handle = (event: Event): void => (event.type === "error" ? onError : onRejection)(event);

  page.mayday = { captureException: (error) => report("generic", true, () => describe(error, "Error")) };
  const queue = page.maydayQueue;
  if (queue) {
    // The page's listeners go on filling it, so from now on filling it is reporting.
    queue.splice(0).forEach(handle);
    queue.push = handle;
  } else {
    addEventListener("error", handle);
    addEventListener("unhandledrejection", handle);
  }
}

/** 128 random bits in hexadecimal. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => (byte + 256).toString(16).slice(1)).join("");
}

attempt(() => install(window as Page));
