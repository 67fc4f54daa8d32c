import type { MaydayEvent, Options } from "../types.ts";
import { RRWEB } from "./format.ts";
import type { ReplayHandover } from "./storage.ts";
import type { Line } from "./ring.ts";

interface ChunkOrigin {
  options: Options;
  who: Pick<MaydayEvent, "user" | "account">;
  url: string | undefined;
}

/**
 * A chunk as the server takes it, in as many parts as it needs: what goes on with a picture, which is its last line, has
 * one each. The last chunk of a replay says how many there are.
 */
export function chunkOf(
  lines: Line[],
  kept: ReplayHandover,
  { options, who, url }: ChunkOrigin,
  isLast: boolean,
): string[] {
  const { id: replay_id, session_id, window_id, event_id, next: chunk_index } = kept;
  const { key, release, environment } = options;
  const ends = lines.map(({ at }) => at);
  const head = JSON.stringify({
    api_key: key,
    session_id,
    window_id,
    replay_id,
    event_id,
    chunk_index,
    total_chunks: isLast ? chunk_index + 1 : null,
    metadata: {
      session_id,
      window_id,
      event_id,
      start_timestamp: kept.started,
      end_timestamp: Math.max(kept.started, ...ends),
      has_full_snapshot: chunk_index > 0 || lines.some(({ isPicture }) => isPicture),
      environment,
      release,
      url,
      rrweb_version: RRWEB,
      ...who,
    },
  });
  const parts = [lines.map(({ json }) => json).join(), ...lines.flatMap(({ more = [] }) => more)];
  return parts.map((events, index) => {
    const part = parts[1] ? `,"part":${JSON.stringify({ index, count: parts.length })}` : "";
    return `${head.slice(0, -1)}${part},"events":[${events}]}`;
  });
}
