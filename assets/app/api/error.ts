/** A response that is not a success, or no response at all (`status` 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    detail: string,
  ) {
    super(detail);
    this.name = "ApiError";
  }
}

/** The server's own message, or one about the status where it has none. */
export function detailOf(status: number, body: unknown): string {
  if (typeof body === "object" && body !== null) {
    for (const key of ["detail", "error", "reason"]) {
      const text = (body as Record<string, unknown>)[key];
      if (typeof text === "string" && text !== "") return text;
    }
  }
  return `The server responded with status ${status} and no explanation.`;
}

/** What went wrong, for people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export const isStatus = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof ApiError && statuses.includes(error.status);

/** Whether a retry may help: there was no response, or the server had a fault. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
