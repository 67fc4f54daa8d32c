// The sections of an event that are on the page: each registers itself, and the links are made from that.

import { createContext, useContext, useEffect } from "react";

export interface Entry {
  id: string;
  /** Of its link. */
  name: string;
}

/** Registers a section that has appeared; the returned function removes it. */
export type Register = (entry: Entry) => () => void;

/** `undefined` where sections have no links. */
export const SectionContext = createContext<Register | undefined>(undefined);

/** The id of a section's heading in the document. */
export const headingId = (id: string): string => `section-${id}`;

/** Registers a section while it is mounted. */
export function useSection(id: string, name: string): void {
  const register = useContext(SectionContext);
  useEffect(() => register?.({ id, name }), [register, id, name]);
}

/** In the order of the page, not in which they appeared. */
export function inOrder(entries: Entry[], topOf: (id: string) => Node | null): Entry[] {
  return entries.toSorted((a, b) => {
    const [one, other] = [topOf(a.id), topOf(b.id)];
    if (!one || !other) return 0;
    return one.compareDocumentPosition(other) & 4 /* DOCUMENT_POSITION_FOLLOWING */ ? -1 : 1;
  });
}

/** Where a section begins, in pixels below the window's top. */
export interface SectionTop {
  id: string;
  top: number;
}

/** A window of a page, in pixels. */
export interface View {
  height: number;
  /** Of the page, above the window and below it. */
  above: number;
  below: number;
}

/**
 * The line by which the section that is read is found, below the window's top: at `top`, and further down towards the
 * page's foot, since the last sections never reach the top.
 */
export function lineAt(top: number, { height, above, below }: View): number {
  const stretch = Math.min(height, above + below);
  return below >= stretch ? top : top + (height - top) * (1 - Math.max(below, 0) / stretch);
}

/** The section that is being read: the last one that begins at or above the line; before all of them, the first. */
export function currentAt(places: SectionTop[], line: number): string | undefined {
  const above = places.filter(({ top }) => top <= line);
  const found = above.reduce<SectionTop | undefined>(
    (best, each) => (best && best.top > each.top ? best : each),
    undefined,
  );
  return (found ?? places[0])?.id;
}
