/** An answer that is not a success, or no answer at all (`status` 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    detail: string,
  ) {
    super(detail);
    this.name = "ApiError";
  }
}

/** How long to wait for an answer before saying that the server is silent, in milliseconds. */
const patience = 15_000;

/** Sends one request to this server and returns its JSON; anything but 2xx throws `ApiError`. */
export async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  const { status, body } = await send(path, init);
  if (status >= 200 && status < 300) return body as T;
  throw new ApiError(status, detailOf(status, body));
}

/** Like `request`, but returns what the server said whatever its status is. */
export async function send(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; body: unknown }> {
  let response: Response;
  try {
    response = await fetch(path, {
      ...init,
      headers: { Accept: "application/json", ...init.headers },
      signal: AbortSignal.timeout(patience),
    });
  } catch (cause) {
    const late = cause instanceof DOMException && cause.name === "TimeoutError";
    throw new ApiError(
      0,
      late
        ? `The server did not answer within ${patience / 1000} seconds.`
        : "The server cannot be reached. Is it running, and is the network up?",
    );
  }
  return { status: response.status, body: await jsonOf(response) };
}

/** Posts JSON. */
export function post<T>(path: string, body: unknown): Promise<T> {
  return request<T>(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** The server's own words where it has some, else what the status means. */
export function detailOf(status: number, body: unknown): string {
  if (typeof body === "object" && body !== null) {
    for (const key of ["detail", "error", "reason"]) {
      const text = (body as Record<string, unknown>)[key];
      if (typeof text === "string" && text !== "") return text;
    }
  }
  return `The server answered with status ${status} and no explanation.`;
}
