import type { Cursor } from "./selection.ts";

const opened = new Map<number, Cursor>();

/** The issue of a project that was opened last from its list: who comes back goes on there. */
export const lastOpened = (project: number): Cursor | undefined => opened.get(project);

export function noteOpened(project: number, issue: Cursor): void {
  opened.set(project, issue);
}
