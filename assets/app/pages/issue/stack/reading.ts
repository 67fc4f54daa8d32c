import { createContext, useContext } from "react";

/** The event whose stack is read: what its frames need to know of it. */
export interface Reading {
  project: number;
  release: string | null;
}

export const ReadingContext = createContext<Reading>({ project: 0, release: null });

export const useReading = (): Reading => useContext(ReadingContext);
