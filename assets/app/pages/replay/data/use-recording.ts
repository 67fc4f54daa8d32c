import { useEffect, useMemo, useSyncExternalStore } from "react";
import { paths } from "../../../paths.ts";
import { Recording } from "./recording.ts";
import { sheetsOf } from "./sheets.ts";

/**
 * How often new events of a live replay are requested, in milliseconds: recorders send every five seconds, and an
 * hour of this takes 600 of a person's requests.
 */
const pause = 6_000;

interface Watched {
  replay_id: string;
  release?: string | null;
  is_live: boolean;
}

/** A replay's recording, which is read at once, followed while it is live, and looked at once more when that ends. */
export function useRecording(project: number, { replay_id: replay, release, is_live: isLive }: Watched) {
  const recording = useMemo(
    () => new Recording((from) => paths.replayEvents(project, replay, from), sheetsOf(project, release)),
    [project, replay, release],
  );
  const state = useSyncExternalStore(recording.subscribe, recording.state);
  useEffect(() => {
    const stop = new AbortController();
    recording.setLive(isLive);
    const load = () => void recording.load(stop.signal);
    load();
    const timer = isLive ? setInterval(load, pause) : undefined;
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [recording, isLive]);
  return { recording, state };
}
