declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The page was opened from the list of issues, which is the entry before. */
    fromList?: boolean;
    /** The person signed out on purpose. */
    signedOut?: boolean;
  }
}

export {};
