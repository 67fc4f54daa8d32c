import { ApiError, detailOf, post, request, send } from "./request.ts";

/** The parts of `GET /meta` that this app shows. */
export interface Meta {
  serverVersion: string;
  capabilities?: { deployment?: { mode?: string; displayName?: string | null } };
}

export type Health = { ok: true; version: string } | { ok: false; reason: string };

export interface Me {
  id: number;
  email: string;
  name: string | null;
}

export interface Claim {
  setup_token: string;
  email: string;
  password: string;
  organization_name: string;
  name?: string;
}

export const getMeta = (): Promise<Meta> => request<Meta>("/meta");

/** The server's health. A 503 is an answer too: it says what is wrong. */
export async function getHealth(): Promise<Health> {
  const { status, body } = await send("/health");
  const answer = (body ?? {}) as { status?: string; version?: string };
  if (status === 200 && answer.status === "ok") {
    return { ok: true, version: answer.version ?? "" };
  }
  return { ok: false, reason: detailOf(status, body) };
}

/** Who is signed in; `undefined` when nobody is. */
export async function getMe(): Promise<Me | undefined> {
  try {
    return await request<Me>("/api/v1/me");
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined;
    throw error;
  }
}

/** Claims the instance. The answer sets the session cookie. */
export const claim = (form: Claim): Promise<unknown> => post<unknown>("/auth/setup", form);
