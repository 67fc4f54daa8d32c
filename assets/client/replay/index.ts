// Session replays: a separate script beside the client, and a separate entry of the package.

import { attempt } from "../safe.ts";
import type { Tap, Tapped } from "../tap.ts";
import type { ReplayOptions, ReplayState } from "../types.ts";
import { forget, isOptedOut, optOut } from "./storage.ts";
import { startRecorder } from "./recorder.ts";

const registry = globalThis as unknown as Record<symbol, Tapped | undefined>;
/** The page's client, from the script or the package. */
const clientOf = (): Tapped | undefined => registry[Symbol.for("mayday")];

let recorder: Tap | undefined;

function start(options: ReplayOptions): boolean {
  if (recorder || typeof document === "undefined") return false;
  if (isOptedOut()) {
    // Another tab may have opted out after the previous page had ended.
    forget();
    return false;
  }
  const client = clientOf()!;
  const over = (): void => {
    recorder = undefined;
    client.tap(undefined);
  };
  return client.tap((source) => (recorder = attempt(() => startRecorder(source, { ...options }, over))));
}

export const startReplay = (options: ReplayOptions = {}): boolean => !!attempt(() => start(options));

export const replay = (): ReplayState =>
  attempt(() => recorder?.state()) || { state: isOptedOut() ? "opted-out" : "off" };

export function stopReplay(): void {
  attempt(() => recorder?.end());
}

export function optOutOfReplay(out = true): void {
  optOut(out);
}
