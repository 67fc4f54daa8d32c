import { useSyncExternalStore } from "react";

/** Whether the session has ended: the page then stays, and the shell asks the person to sign in again. */
let ended = false;
let known = false;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Somebody is signed in. */
export function sessionKnown(): void {
  known = true;
  if (!ended) return;
  ended = false;
  tell();
}

/** Called for a response with status 401. Before anybody has signed in it has no effect: the pages go to `/login`. */
export function sessionEnded(): void {
  if (!known || ended) return;
  ended = true;
  tell();
}

/** Somebody signed out on purpose. */
export function sessionForgotten(): void {
  known = false;
  if (!ended) return;
  ended = false;
  tell();
}

export function useSessionEnded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => ended,
  );
}
