import { ShopError } from "./errors";

export interface Session {
  user: string;
  expiresAt: number;
}

export async function refreshSession(session: Session, now: number): Promise<Session> {
  if (session.expiresAt < now) {
    throw new ShopError("SessionExpiredError", `The session of ${session.user} ended ${now - session.expiresAt} s ago`);
  }
  return { ...session, expiresAt: now + 900 };
}

/** The claims of a signed-in visitor, as the identity provider encodes them. */
export function claimsOf(encoded: string): Record<string, unknown> {
  const [, payload = ""] = encoded.split(".");
  return JSON.parse(atob(payload)) as Record<string, unknown>;
}

export async function signInWithPasskey(allowed: boolean): Promise<string> {
  await Promise.resolve();
  if (!allowed) throw new DOMException("The operation either timed out or was not allowed.", "NotAllowedError");
  return "signed in";
}
