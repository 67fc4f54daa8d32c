// Keyboard shortcuts: pages register theirs, and the help (`?`) lists those that currently work.

import { useEffect, useSyncExternalStore } from "react";
import { useLatest } from "../hooks/use-latest.ts";
import { isPaletteOpen, keepTyped } from "./palette-store.ts";

export interface Key {
  /** As `KeyboardEvent.key` names them, in order: `e`, `g i`, `mod+k`, `Escape`. */
  keys: string;
  /** What it does, for the help. */
  does: string;
  run: () => void;
  /** Also runs repeatedly while it is held down. */
  repeats?: boolean;
  /** Whether the palette offers it, too, as something to do here. */
  isAct?: boolean;
  /** Also works while a field has the focus; use it only with `mod+`. */
  everywhere?: boolean;
}

export interface KeyGroup {
  name: string;
  keys: Key[];
}

/** The longest time between two keys of a sequence, in milliseconds. */
const between = 1_000;

/** The name of the modifier key on this system. */
export const mod = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "") ? "⌘" : "Ctrl";

let groups: { readonly current: KeyGroup }[] = [];
let shown: KeyGroup[] = [];
let first: { key: string; at: number } | undefined;
const listeners = new Set<() => void>();

/** The groups as they were last rendered; those of `useKeyGroups` are the same only in what is listed. */
export const currentGroups = (): KeyGroup[] => groups.map(({ current }) => current);

function changed(): void {
  shown = currentGroups();
  for (const listener of listeners) listener();
}

/** Enables shortcuts while the caller is mounted. The newest group takes precedence. */
export function useKeys(name: string, keys: Key[]): void {
  const held = useLatest<KeyGroup>({ name, keys });
  useEffect(() => {
    groups = [...groups, held];
    if (groups.length === 1) document.addEventListener("keydown", onKey);
    changed();
    return () => {
      groups = groups.filter((group) => group !== held);
      if (groups.length === 0) document.removeEventListener("keydown", onKey);
      changed();
    };
  }, [held]);
  // Some are known only after the page was rendered.
  const listed = keys.map(({ keys: pressed, does, isAct }) => `${pressed} ${does} ${isAct}`).join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the help lists has changed with it
  useEffect(changed, [listed]);
}

/** The shortcuts that currently work. */
export function useKeyGroups(): KeyGroup[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}

/** Whether a dialog or the palette was open when the key was pressed: then Escape only closes the dialog. */
let wasModalOpen = false;
// Before a dialog's listener, which may close it at once.
globalThis.window?.addEventListener(
  "keydown",
  () => {
    wasModalOpen = isPaletteOpen() || isModalOpen();
  },
  true,
);

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const mod = event.metaKey || event.ctrlKey;
  if (!mod && !isField(event.target) && keepTyped(event)) return;
  const pressed = mod ? `mod+${event.key.toLowerCase()}` : event.key;
  const second = first && event.timeStamp - first.at < between ? `${first.key} ${pressed}` : undefined;
  const busy = isField(event.target) || wasModalOpen || isModalOpen();
  // On a button or a checkbox, space presses it.
  if (pressed === " " && isPressable(event.target)) return;
  const found = (second && find(second, busy)) || find(pressed, busy);
  first = !mod && !busy && !found ? { key: pressed, at: event.timeStamp } : undefined;
  if (!found) return;
  event.preventDefault();
  if (!event.repeat || found.repeats) found.run();
}

function find(pressed: string, busy: boolean): Key | undefined {
  for (const group of groups.toReversed()) {
    const key = group.current.keys.find(({ keys }) => keys === pressed);
    if (key && (!busy || key.everywhere)) return key;
  }
  return undefined;
}

/** Whether a dialog is open. It receives all keys; a closed one may still be in the document, hidden. */
function isModalOpen(): boolean {
  return [...document.querySelectorAll('[aria-modal="true"]')].some((dialog) => dialog.checkVisibility());
}

const isPressable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("button, a, summary, [role=tab], [type=checkbox]") !== null;

/** A checkbox takes no key but space. */
const fields = "input:not([type=checkbox]), textarea, select, [role=menu], [role=listbox]";

/** Whether keys enter text there, or select something within the element. */
function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest(fields) !== null);
}
