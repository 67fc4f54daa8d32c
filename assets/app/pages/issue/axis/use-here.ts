import { useMemo, useState } from "react";
import type { Replay } from "../../../api/schema.d.ts";
import { Chosen } from "./chosen.ts";
import { nearestIn } from "./watch.ts";

/** Where the player was sent, in milliseconds from the beginning of the replay: anew each time somebody chooses. */
export interface Sent {
  to: number;
}

/** The player of the replay on the page of an error. */
export interface Here {
  /** Where it was sent last; nothing while it is closed. */
  sent: Sent | undefined;
  /** Opens it at a time, in milliseconds after the error, or sends it there. */
  go: (at: number) => void;
  close: () => void;
  /** It is at a time of the replay, in milliseconds from its beginning. */
  moved: (to: number) => void;
}

/** The player of a replay beside what has times after `time`; `look` is told after how many milliseconds it is. */
export function useHere(replay: Replay | undefined, time: number, look: (at: number) => void): Here {
  const [sent, send] = useState<Sent>();
  const [chosen] = useState(() => new Chosen());
  const start_timestamp = replay?.start_timestamp ?? time;
  const end_timestamp = replay?.end_timestamp ?? time;
  const ways = useMemo(
    () => ({
      go: (at: number) => {
        const to = nearestIn({ start_timestamp, end_timestamp }, time + at);
        look(at);
        chosen.choose(at, to);
        send({ to });
      },
      close: () => send(undefined),
      moved: (to: number) => look(chosen.at(to) ?? start_timestamp + to - time),
    }),
    [start_timestamp, end_timestamp, time, look, chosen],
  );
  return useMemo(() => ({ ...ways, sent: replay && sent }), [ways, replay, sent]);
}
