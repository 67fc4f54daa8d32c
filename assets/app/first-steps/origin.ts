const isLocal = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || /^127\.|^\[::1\]/.test(host);

/**
 * Where events go: the address that the server was given as its own. One that was given none calls
 * itself localhost; then the address at which this page was reached is the better one.
 */
export function originOf(configured: string | undefined, here: string): string {
  if (!configured || !URL.canParse(configured)) return here;
  const own = new URL(configured);
  return isLocal(own.hostname) && !isLocal(new URL(here).hostname) ? here : own.origin;
}
