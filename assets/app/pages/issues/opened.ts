import type { Cursor } from "./selection.ts";

const opened = new Map<number, Cursor>();

/** The issue that was last opened from a project's list, where the cursor returns to. */
export const lastOpened = (project: number): Cursor | undefined => opened.get(project);

export function noteOpened(project: number, issue: Cursor): void {
  opened.set(project, issue);
}
