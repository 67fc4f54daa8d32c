import createClient from "openapi-fetch";
import { connected, disconnected, isOffline } from "./connection.ts";
import { earlyAnswer } from "./early.ts";
import { ApiError, detailOf } from "./error.ts";
import { parseExact } from "./exact-json.ts";
import { limited, mostOf } from "./limited.ts";
import type { paths } from "./schema.d.ts";
import { noteServerTime } from "./server-clock.ts";
import { waitOf, windows } from "./wait.ts";

/** How long to wait for a response before reporting that the server does not respond, in milliseconds. */
const patience = 20_000;
/** The same for requests for which the server contacts other services. */
const patienceForOthers = 90_000;

/** Every route of the server, typed by its API document. */
export const api = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "",
  headers: { Accept: "application/json" },
  fetch: reach,
});

type Get = (path: string, options?: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/**
 * The same for answers with JSON of users, such as events and log entries: their numbers keep all digits, as
 * `ExactNumber` where no double has them.
 */
export const exactApi = {
  GET: (async (path: string, options?: object) => {
    const { data, ...rest } = await (api.GET as unknown as Get)(path, { ...options, parseAs: "text" });
    return typeof data === "string" && data !== "" ? { ...rest, data: parseExact(data) } : rest;
  }) as unknown as typeof api.GET,
};

/** `fetch` with a time limit, which also tells the shell whether the server responds. */
async function reach(request: Request): Promise<Response> {
  const most = request.url.endsWith("/sign-in/check") ? patienceForOthers : patience;
  const limit = AbortSignal.timeout(most);
  try {
    const response = await (earlyAnswer(request) ??
      fetch(request, { signal: AbortSignal.any([request.signal, limit]) }));
    connected();
    noteLimit(request, response);
    noteServerTime(response.headers.get("Date"));
    return response;
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    const text = whySilent(limit.aborted ? most : undefined);
    disconnected(text);
    throw new ApiError(0, text);
  }
}

/** Why there is no answer: either after waiting `waited` milliseconds, or at once. */
function whySilent(waited: number | undefined): string {
  if (isOffline()) return "You are offline.";
  if (waited !== undefined) return `The server did not respond within ${waited / 1000} seconds.`;
  return "The server cannot be reached. It may be down, or your network may be.";
}

/** A refused read means that the hour's requests are used up. Other limits are reported where they occur. */
function noteLimit({ method, url }: Request, { status, headers }: Response): void {
  if (status !== 429 || method !== "GET" || !new URL(url).pathname.startsWith("/api/v1/")) return;
  limited(waitOf(headers.get("Retry-After"), Date.now(), windows.requests), mostOf(headers.get("X-RateLimit-Limit")));
}

/** Throws unless the server itself answers, in health: a proxy may answer in its place. */
export const reachable = () => ok(api.GET("/health"));

type Answer<T> = { data?: T; error?: unknown; response: Response };

/** The body of a response; anything but 2xx throws an `ApiError` with the server's message. */
export async function ok<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer;
  if (response.ok) return data as T;
  throw new ApiError(response.status, detailOf(response.status, error));
}
