/** Every address of the Web app; links are made from these and nowhere else. */
export const paths = {
  home: "/",
  setup: "/setup",
} as const;

export type Route = { page: "home" } | { page: "setup" } | { page: "unknown"; path: string };

/** Tells which page an address names. A trailing slash makes no difference. */
export function routeOf(pathname: string): Route {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, "") || "/" : pathname;
  switch (path) {
    case paths.home:
      return { page: "home" };
    case paths.setup:
      return { page: "setup" };
    default:
      return { page: "unknown", path: pathname };
  }
}

/** Reads the setup token out of an address like `/setup#token=…`; empty when there is none. */
export function setupTokenIn(fragment: string): string {
  return new URLSearchParams(fragment.replace(/^#/, "")).get("token")?.trim() ?? "";
}
