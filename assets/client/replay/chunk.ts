import type { MaydayEvent, Options } from "../types.ts";
import { RRWEB } from "./format.ts";
import type { Kept } from "./kept.ts";
import type { Line } from "./ring.ts";

interface Told {
  options: Options;
  who: Pick<MaydayEvent, "user" | "account">;
  url: string | undefined;
}

/** A chunk in the server's format; the last one of a replay has their number. */
export function chunkOf(lines: Line[], kept: Kept, { options, who, url }: Told, isLast: boolean): string {
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
      has_full_snapshot: chunk_index > 0 || lines.some(({ begins }) => begins),
      environment,
      release,
      url,
      rrweb_version: RRWEB,
      ...who,
    },
  });
  return `${head.slice(0, -1)},"events":[${lines.map(({ json }) => json).join()}]}`;
}
