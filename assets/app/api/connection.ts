import { useSyncExternalStore } from "react";

/** Whether the server answers; told by every request and by the live stream, shown by the shell. */
export type Connection = { state: "up" } | { state: "down"; since: number; reason: string };

let current: Connection = { state: "up" };
const listeners = new Set<() => void>();

export function connected(): void {
  if (current.state === "up") return;
  current = { state: "up" };
  for (const listener of listeners) listener();
}

export function disconnected(reason: string): void {
  if (current.state === "down") return;
  current = { state: "down", since: Date.now(), reason };
  for (const listener of listeners) listener();
}

export function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const connection = (): Connection => current;

export function useConnection(): Connection {
  return useSyncExternalStore(onConnection, connection);
}
