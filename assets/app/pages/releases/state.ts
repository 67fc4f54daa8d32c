import type { ReleaseHealth } from "../../api/schema.d.ts";

/** The state of a release. `seen`: only events name it; `bare`: it was finalized, but has no source maps. */
export function stateOf({
  id,
  finalized_at,
  source_map_count,
}: Pick<ReleaseHealth, "id" | "finalized_at" | "source_map_count">): "seen" | "open" | "bare" | "complete" {
  if (id === null) return "seen";
  if (finalized_at === null) return "open";
  return source_map_count === 0 ? "bare" : "complete";
}
