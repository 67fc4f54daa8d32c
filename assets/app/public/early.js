// What cannot wait for the app's scripts. A file of its own, since the content security policy allows no inline script.

// Before anything is drawn: the colour scheme that the person chose, or the system's.
(() => {
  let chosen;
  try {
    chosen = localStorage.getItem("mayday.color-scheme");
  } catch {
    // Storage is switched off: the system decides.
  }
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  const root = document.documentElement;
  root.dataset.mantineColorScheme = dark ? "dark" : "light";
  root.style.colorScheme = dark ? "dark" : "light";
  root.style.backgroundColor = dark ? "#131417" : "#ffffff";
})();

// While the scripts load: the first requests of a project's page, as `api/client.ts` would send them. `api/early.ts`
// hands the answers to whoever asks the same.
(() => {
  const [, project, isList] = /^\/projects\/(\d{1,15})(?:\/(?:(issues)\/?$)?|$)/.exec(location.pathname) ?? [];
  if (project === undefined) return;
  const addresses = ["/api/v1/me", "/api/v1/organizations", `/api/v1/projects/${project}`];
  const search = new URLSearchParams(location.search);
  const words = search.get("query");
  const status = ["unresolved", "resolved", "ignored", "all"].find((name) => name === search.get("status"));
  const whole = status === "all" ? (words ?? "") : `is:${status} ${words ?? ""}`.trim();
  const query = status === undefined ? (words ?? "is:unresolved") : whole;
  const filters = { query, sort: search.get("sort") ?? "last_seen" };
  const environment = search.get("environment");
  if (environment) filters.environment = environment;
  const period = ["24h", "7d", "30d"].find((name) => name === search.get("period"));
  if (period !== undefined) filters.period = period;
  if (isList)
    addresses.push(`/api/v1/projects/${project}/issues?${new URLSearchParams({ ...filters, limit: 50, offset: 0 })}`);
  const headers = { Accept: "application/json" };
  globalThis.early = {
    list: isList ? { project: Number(project), filters } : undefined,
    answers: new Map(addresses.map((address) => [address, fetch(address, { headers })])),
  };
  // Without this, a request that fails before anything uses it is reported as an uncaught error of the page.
  for (const answer of globalThis.early.answers.values()) answer.catch(() => undefined);
})();
