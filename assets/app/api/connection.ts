import { useSyncExternalStore } from "react";

/**
 * Whether the server responds: reported by every request and by the live stream, shown by the shell. `isOffline`: the
 * browser has no network at all, so it is not the server's fault.
 */
export type Connection = { state: "up" } | { state: "down"; isOffline: boolean; reason: string };

let current: Connection = { state: "up" };
const listeners = new Set<() => void>();

function set(next: Connection): void {
  current = next;
  for (const listener of listeners) listener();
}

/** An answer arrived, whatever the browser says about its network: a server on the same machine needs none. */
export function connected(): void {
  if (current.state === "down") set({ state: "up" });
}

export function disconnected(reason: string): void {
  const now = isOffline();
  if (current.state === "down" && current.isOffline === now) return;
  set({ state: "down", isOffline: now, reason });
}

/** Whether the browser reports that it has no network. */
export const isOffline = (): boolean => globalThis.navigator?.onLine === false;

function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useConnection(): Connection {
  return useSyncExternalStore(onConnection, () => current);
}
