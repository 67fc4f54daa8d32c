import { useEffect, useState, useSyncExternalStore } from "react";
import type { Recording } from "../data/recording.ts";
import { Player, type ReadPicture, stopped } from "./player.ts";

/** rrweb's player, which is fetched once. */
export const library = () => import("./library.ts");

const never = () => () => {};

/**
 * A player in the document of a frame, from when that is there; `at` is where it begins, in milliseconds. With `read` it
 * draws that moment before the recording has been read so far.
 */
export function usePlayer(recording: Recording, root: HTMLElement | undefined, at: number, read?: ReadPicture) {
  const [player, setPlayer] = useState<Player>();
  useEffect(() => {
    if (!root) return;
    let made: Player | undefined;
    let isGone = false;
    void library().then(({ makeReplayer }) => {
      if (isGone) return;
      made = new Player(recording, (events) => makeReplayer(root, events), at, read);
      setPlayer(made);
    });
    return () => {
      isGone = true;
      made?.destroy();
      setPlayer(undefined);
    };
  }, [recording, root, at, read]);
  const playing = useSyncExternalStore(player?.subscribe ?? never, player?.state ?? (() => stopped));
  return { player, playing };
}
