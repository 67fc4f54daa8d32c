import { startFlow } from "../api/people.ts";
import type { Methods, ProviderKind, StartFlow } from "../api/schema.d.ts";
import { oneLine } from "../ui/visible.ts";

/** Providers that are set up, with their names. */
export function providersOf(methods: Methods | undefined): { provider: ProviderKind; name: string }[] {
  if (!methods) return [];
  return [
    ...(methods.sso.enabled
      ? [{ provider: "sso" as const, name: oneLine(methods.sso.display_name) || "single sign-on" }]
      : []),
    ...(methods.github ? [{ provider: "github" as const, name: "GitHub" }] : []),
  ];
}

/** Whether SSO is the only sign-in method. */
const isSsoAlone = ({ password_login, github, sso }: Methods): boolean => sso.enabled && !password_login && !github;

/** The minimum time between two automatic redirects, in milliseconds, to prevent loops. */
const between = 60_000;

export interface Arrival {
  /** An error of the previous attempt. */
  error: string | undefined;
  signedOut: boolean;
  /** When this tab last redirected automatically, in epoch milliseconds. */
  wentAt: number | undefined;
}

/** Whether the page redirects to the provider automatically. */
export function goesByItself(methods: Methods, { error, signedOut, wentAt }: Arrival, now: number): boolean {
  const lately = wentAt !== undefined && now - wentAt < between && now >= wentAt;
  return isSsoAlone(methods) && error === undefined && !signedOut && !lately;
}

/** Whether a page may redirect to an address. */
export function isWebAddress(address: string): boolean {
  try {
    return ["http:", "https:"].includes(new URL(address).protocol);
  } catch {
    return false;
  }
}

/** Opens the provider's page; the form shows errors that this throws. */
export async function leaveFor(provider: ProviderKind, body: StartFlow): Promise<void> {
  const { location: next } = await startFlow(provider, body);
  if (!isWebAddress(next)) throw new Error("The server did not say where to continue.");
  location.assign(next);
}
