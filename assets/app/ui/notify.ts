// Messages in the corner. Their code is loaded on demand (`first-input.ts`).

import { skipWaiting } from "./first-input.ts";

function load() {
  skipWaiting();
  return import("./Messages.tsx");
}

/** If the code cannot be loaded for lack of a network, the banner says so. */
const unseen = () => undefined;

/** Reports a success; `undo` reverts it, and is `null` for a change that cannot be reverted. */
export function done(message: string, undo?: (() => void) | null): void {
  void load().then((messages) => messages.done(message, undo), unseen);
}

/** Reports a failure with its reason. It stays until it is closed. */
export function problem(what: string, error: unknown): void {
  void load().then((messages) => messages.problem(what, error), unseen);
}

/** Removes all messages. */
export function clearMessages(): void {
  void load().then((messages) => messages.clear(), unseen);
}
