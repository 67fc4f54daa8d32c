// The properties of contexts that issues and events can be filtered by; the server counts no others
// (`src/event/facets.rs`).

export const contextFacets: ReadonlySet<string> = new Set([
  "contexts.app.app_name",
  "contexts.app.app_version",
  "contexts.browser.name",
  "contexts.browser.version",
  "contexts.device.family",
  "contexts.device.model",
  "contexts.os.name",
  "contexts.os.version",
  "contexts.runtime.name",
  "contexts.runtime.version",
]);

/** The longest value that is counted, in characters. */
const valueMost = 200;

/** The name of a value within an event's contexts, by its path there; `undefined` for one that is not counted. */
export function contextFacet(path: readonly string[], value: unknown): string | undefined {
  const name = `contexts.${path.join(".")}`;
  const isCounted = path.length === 2 && contextFacets.has(name) && typeof value === "string" && value !== "";
  return isCounted && [...value].length <= valueMost ? name : undefined;
}
