import { address } from "./address.ts";
import type { WatcherApi } from "./platform.ts";
import { randomId } from "./ids.ts";
import { all } from "./listen.ts";
import { leaves } from "./page.ts";
import { patch } from "./patch.ts";
import { attempt, text } from "./safe.ts";

interface Sent {
  method: string;
  url: string;
  traced?: boolean;
}

const HEADER = "traceparent";

/** Watches the page's requests. The client's own use the original `fetch`. */
export function watchRequests(api: WatcherApi): () => void {
  const crumbs = leaves(api, "request");
  const tracing = api.options.tracing !== false;

  const note = (category: string, { method, url }: Sent, start: number, status: number): void => {
    if (!crumbs) return;
    api.crumb({
      category,
      type: "http",
      level: status && status < 400 ? "info" : "error",
      data: {
        method: method.toUpperCase(),
        url: address(url),
        status_code: status,
        duration: Math.round(performance.now() - start),
      },
    });
  };

  /** The value of `traceparent` for requests to the page's own origin. */
  const parent = (url: string): string | undefined => {
    const { origin } = globalThis;
    // A frame without an address has the origin of its parent.
    const base = attempt(() => document.baseURI) || location.href;
    const same = tracing && /^http/.test(origin) && new URL(url, base).origin === origin;
    return same ? `00-${api.trace()}-${randomId(8)}-01` : undefined;
  };

  const endFetch = patch(globalThis, "fetch", (call, args) => {
    const start = performance.now();
    const [input, init] = args as [unknown, RequestInit | undefined];
    const request = attempt(() => (input instanceof Request ? input : undefined));
    const sent: Sent = {
      method: text(attempt(() => init!.method) || "") || request?.method || "GET",
      url: request?.url || text(input),
    };
    const traced = attempt(() => withHeader(request, init, parent(sent.url)));
    const result = call(traced ? [input, traced, ...args.slice(2)] : args);
    // An unusual promise of the page is left alone.
    if (!attempt(() => Object.getPrototypeOf(result) === Promise.prototype)) return result;
    return (result as Promise<Response>).then(
      (answer) => {
        attempt(() => note("fetch", sent, start, answer.status));
        return answer;
      },
      (error) => {
        attempt(() => note("fetch", sent, start, 0));
        throw error;
      },
    );
  });

  const under = new WeakMap<object, Sent>();
  const requests = attempt(() => XMLHttpRequest.prototype);
  const ends = [
    endFetch,
    patch(requests, "open", (call, args, self) => {
      attempt(() => under.set(self as object, { method: text(args[0]), url: text(args[1]) }));
      return call();
    }),
    patch(requests, "setRequestHeader", (call, args, self) => {
      const sent = under.get(self as object);
      if (sent && text(args[0]).toLowerCase() === HEADER) sent.traced = true;
      return call();
    }),
    patch(requests, "send", (call, _, self) => {
      attempt(() => {
        const xhr = self as XMLHttpRequest;
        const sent = under.get(xhr)!;
        const start = performance.now();
        const value = sent.traced ? undefined : parent(sent.url);
        if (value) xhr.setRequestHeader(HEADER, value);
        xhr.addEventListener("loadend", () => attempt(() => note("xhr", sent, start, xhr.status)), { once: true });
      });
      return call();
    }),
  ];
  return all(ends);
}

/** The request's settings with the header; nothing if they are to be left alone. */
function withHeader(
  request: Request | undefined,
  init: RequestInit | undefined,
  value: string | undefined,
): RequestInit | undefined {
  if (!value) return undefined;
  // Further settings, even empty ones, would change the request; its headers may be immutable.
  if (request && !init) {
    if (!request.headers.has(HEADER)) request.headers.set(HEADER, value);
    return undefined;
  }
  if (init && Object.getPrototypeOf(init) !== Object.prototype) return undefined;
  const headers = new Headers(init?.headers || request?.headers);
  if (headers.has(HEADER)) return undefined;
  headers.set(HEADER, value);
  return { ...init, headers };
}
