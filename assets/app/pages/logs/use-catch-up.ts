import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { serverNow } from "../../api/server-clock.ts";
import type { LogEntry, Logs } from "../../api/schema.d.ts";
import { missedQuery } from "./queries.ts";
import type { Bounds, Filters } from "./range.ts";
import { type Tail, entriesOf, greatestId, isCutShort, writtenAfter } from "./tail.ts";
import type { Connection } from "./use-tail-stream.ts";

/** A loss of the stream. */
interface Loss {
  /** The greatest id that had come until then. */
  after: number;
  /** Since when entries may be missing, and when the connection was lost; milliseconds since the epoch. */
  from: number;
  at: number;
}

export interface CatchUp {
  /** Times within which entries are missing, because there were too many of them. */
  hole: Bounds | undefined;
  /** Why what was missed could not be loaded, and another attempt. */
  failure: { error: unknown; from: number; retry: () => void } | undefined;
}

/** What is known of the stream `of` an address. */
interface Known {
  of: string;
  loss?: Loss;
  hole?: Bounds;
}

interface Source {
  project: number;
  /** The filters, without times. */
  filters: Filters;
  /** Of the stream. */
  address: string;
}

/** Loads what came while the stream had no connection; no more than a page, and says where something is missing. */
export function useCatchUp(
  { project, filters, address }: Source,
  { tail, connection }: { tail: Tail; connection: Connection },
  add: (after: number, found: LogEntry[]) => void,
): CatchUp {
  const [{ of, loss, hole }, setKnown] = useState<Known>({ of: address });
  // A tail that begins anew lacks nothing, also if it is one that there was before.
  if (of !== address) setKnown({ of: address });
  const lose = (lost: Loss) => setKnown((now) => ({ ...now, loss: lost }));
  const isOpen = connection === "open";
  const { data, error, refetch } = useQuery({
    ...missedQuery(project, filters, [address, loss?.after, loss?.at]),
    enabled: isOpen && loss !== undefined,
  });

  const note = useEffectEvent(() => {
    const at = serverNow();
    // What the loss before this one cost is still to be loaded, too.
    if (loss && !data) return lose({ ...loss, at });
    const after = greatestId(tail);
    if (after === undefined) return;
    const last = entriesOf(tail).find(({ id }) => id === after);
    lose({ after, from: last ? writtenAfter(last) : at, at });
  });
  useEffect(() => (isOpen ? () => note() : undefined), [isOpen]);

  const take = useEffectEvent((page: Logs) => {
    if (!loss) return;
    add(loss.after, page.logs);
    const oldest = page.logs.at(-1);
    if (!oldest || !isCutShort(page, loss.from)) return;
    const bounds = { start: loss.from, end: Date.parse(oldest.timestamp) };
    setKnown((now) => ({ ...now, hole: now.hole ? around(now.hole, bounds) : bounds }));
  });
  useEffect(() => {
    if (data) take(data);
  }, [data]);

  const failure = loss && error ? { error, from: loss.from, retry: () => void refetch() } : undefined;
  return { hole, failure };
}

/** From the beginning of the earlier one to the end of the later one. */
const around = (one: Bounds, other: Bounds): Bounds => ({
  start: Math.min(one.start, other.start),
  end: Math.max(one.end, other.end),
});
