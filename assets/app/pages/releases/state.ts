import type { Release } from "../../api/schema.d.ts";

/** Where a release stands; `bare`: it was finalized, and no source map came before or after that. */
export function stateOf({
  finalized_at,
  source_map_count,
}: Pick<Release, "finalized_at" | "source_map_count">): "open" | "bare" | "complete" {
  if (finalized_at === null) return "open";
  return source_map_count === 0 ? "bare" : "complete";
}
