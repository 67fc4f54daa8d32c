import { useEffect, useMemo } from "react";
import { useLatest } from "../../../hooks/use-latest.ts";
import type { Recording } from "../../replay/data/recording.ts";
import type { Player } from "../../replay/player/player.ts";
import type { Sent } from "../axis/use-here.ts";
import { Follower } from "./follow.ts";

/** Sends the player where somebody chose to be, and tells `moved` where it is. */
export function useFollower(
  player: Player | undefined,
  recording: Recording,
  sent: Sent,
  moved: (to: number) => void,
): void {
  // `moved` changes while a replay is live; that alone must not make another follower, which would seek again.
  const told = useLatest(moved);
  const follower = useMemo(() => {
    const arrived = () => {
      const { phase, summary } = recording.state();
      return { end: summary.duration, isLoading: phase === "loading" };
    };
    return player && new Follower(player, arrived, (at) => told.current(at));
  }, [player, recording, told]);
  useEffect(() => follower?.follow(), [follower]);
  useEffect(() => follower?.send(sent.to), [follower, sent]);
}
