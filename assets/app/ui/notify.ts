// Messages in the corner. Their code is loaded on demand (`first-input.ts`).

import { skipWaiting } from "./first-input.ts";

function load() {
  skipWaiting();
  return import("./Messages.tsx");
}

/** Without a network before anything was done: the banner says so. */
const unseen = () => undefined;

/** Something was done; `undo` puts it back. */
export function done(message: string, undo?: () => void): void {
  void load().then((messages) => messages.done(message, undo), unseen);
}

/** Something could not be done, and why. It stays until it is closed. */
export function problem(what: string, error: unknown): void {
  void load().then((messages) => messages.problem(what, error), unseen);
}

/** Takes all messages away. */
export function clearMessages(): void {
  void load().then((messages) => messages.clear(), unseen);
}
