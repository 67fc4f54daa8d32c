import { createContext, useContext } from "react";

/** The event whose stack is shown, as far as frames need it. */
export interface Reading {
  project: number;
  release: string | null;
}

export const ReadingContext = createContext<Reading>({ project: 0, release: null });

export const useReading = (): Reading => useContext(ReadingContext);
