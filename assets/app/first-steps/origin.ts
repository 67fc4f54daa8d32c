const isLocal = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || /^127\.|^\[::1\]/.test(host);

/**
 * The address for events: the server's configured one. A server without one calls itself localhost; then the address
 * of this page is better.
 */
export function originOf(configured: string | undefined, here: string): string {
  if (!configured || !URL.canParse(configured)) return here;
  const own = new URL(configured);
  return isLocal(own.hostname) && !isLocal(new URL(here).hostname) ? here : own.origin;
}
