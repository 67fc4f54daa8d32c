import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { replayKeys } from "../../../api/replay-queries.ts";
import type { ReplayDetails } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { lagOf } from "../data/clock.ts";
import type { Recording, State } from "../data/recording.ts";
import { useRecording } from "../data/use-recording.ts";
import { readPicture } from "./glimpse.ts";
import { type Moment, momentsOf } from "./moments.ts";
import type { Playing } from "./player.ts";
import { usePlayer } from "./use-player.ts";

/**
 * A replay that is watched from a time on, in milliseconds: what has been read of it, and the player in the document of a
 * frame, which `setRoot` is told. `whole` is what fills the screen.
 */
export function useWatch(project: number, replay: ReplayDetails, at: number) {
  const { recording, state } = useRecording(project, replay);
  const [root, setRoot] = useState<HTMLElement>();
  const read = usePictures(project, replay.replay_id, recording);
  // Where it begins is a matter of how it was opened.
  const [begun] = useState(at);
  const { player, playing } = usePlayer(recording, root, begun, read);
  const moments = useMoments(state, replay);
  const whole = useRef<HTMLDivElement>(null);
  useEnd(project, replay, state.summary.isEnded);
  const fullscreen = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void whole.current?.requestFullscreen?.();
  };
  const retry = () => void recording.load(new AbortController().signal);
  return { recording, state, player, playing, moments, setRoot, whole, fullscreen, retry };
}

/** Reads what draws a moment of a replay. */
function usePictures(project: number, replay: string, recording: Recording) {
  return useCallback(
    (at: number, signal: AbortSignal) => {
      const { start } = recording.state().summary;
      return readPicture(paths.replayMoment(project, replay, at), start + at, signal, recording.sheets);
    },
    [project, replay, recording],
  );
}

/** The moments of what has been read; while it is being read, they follow a little behind. */
function useMoments({ summary, version, phase }: State, replay: ReplayDetails): Moment[] {
  const { errors } = replay;
  const lag = lagOf(replay);
  // Thousands of clicks are not looked at again for each piece that arrives.
  const turn = phase === "loading" ? Math.floor(version / 20) : version;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the summary is added to in place
  return useMemo(() => momentsOf(summary, errors, lag), [summary, errors, lag, turn]);
}

/** Asks what is known of a live replay again once its recording says that it was ended. */
function useEnd(project: number, { replay_id: replay, is_live: isLive }: ReplayDetails, isEnded: boolean): void {
  const cache = useQueryClient();
  useEffect(() => {
    if (isEnded && isLive) void cache.invalidateQueries({ queryKey: replayKeys.one(project, replay) });
  }, [isEnded, cache, project, replay, isLive]);
}

/** What is said in place of the picture. */
export function stageWords({ isReady, phase, summary }: State, { isWaiting, isBroken }: Playing): string | undefined {
  if (isBroken) return "This part of the recording is damaged and cannot be shown.";
  if (isWaiting) return "Waiting for more of the recording…";
  if (isReady) return undefined;
  if (summary.ended?.why === "too large") return "The page was too large to be recorded.";
  return phase === "loading"
    ? "Loading the recording…"
    : "The recording has no picture of the page: its beginning has not arrived.";
}
