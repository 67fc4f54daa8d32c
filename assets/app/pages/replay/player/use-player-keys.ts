import { useKeys } from "../../../shell/keys.ts";
import { type Player, speeds } from "./player.ts";

/** How far the arrows go, in milliseconds. */
export const step = 5_000;

/** The speed after one, or before it (`-1`). */
export function nextSpeed(speed: (typeof speeds)[number], direction: 1 | -1): (typeof speeds)[number] {
  const at = speeds.indexOf(speed) + direction;
  return speeds[Math.min(speeds.length - 1, Math.max(0, at))] ?? speed;
}

export function usePlayerKeys(player: Player | undefined, fullscreen: () => void): void {
  const move = (by: number) => player?.seek(player.state().at + by);
  const speed = (direction: 1 | -1) => player?.setSpeed(nextSpeed(player.state().speed, direction));
  useKeys("Replay", [
    { keys: " ", does: "Play or pause", run: () => player?.toggle() },
    { keys: "ArrowLeft", does: "Back 5 seconds", repeats: true, run: () => move(-step) },
    { keys: "ArrowRight", does: "Forward 5 seconds", repeats: true, run: () => move(step) },
    { keys: "<", does: "Slower", run: () => speed(-1) },
    { keys: ">", does: "Faster", run: () => speed(1) },
    { keys: "f", does: "Full screen", run: fullscreen },
  ]);
}
