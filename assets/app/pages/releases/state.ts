import type { ReleaseHealth } from "../../api/schema.d.ts";

/**
 * Where a release stands. `seen`: only events name it; `bare`: it was finalized, and no source map came before or after
 * that.
 */
export function stateOf({
  id,
  finalized_at,
  source_map_count,
}: Pick<ReleaseHealth, "id" | "finalized_at" | "source_map_count">): "seen" | "open" | "bare" | "complete" {
  if (id === null) return "seen";
  if (finalized_at === null) return "open";
  return source_map_count === 0 ? "bare" : "complete";
}
