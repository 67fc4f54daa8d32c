declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The page was opened from the list of issues, which is the previous history entry. */
    fromList?: boolean;
    /** The person signed out on purpose. */
    signedOut?: boolean;
  }
}

export {};
