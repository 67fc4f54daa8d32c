import { useLocalStorage } from "@mantine/hooks";

/** A query to come back to. */
export interface SavedView {
  name: string;
  query: string;
}

/** Views that everybody has. */
export const givenViews: readonly SavedView[] = [
  { name: "Mine", query: "is:unresolved is:mine" },
  { name: "Escalating", query: "is:escalating" },
  { name: "Regressed", query: "is:regressed" },
  { name: "New this week", query: "is:new" },
];

/** The person's own views of a project, newest first, kept in this browser. */
export const useOwnViews = (project: number) =>
  useLocalStorage<SavedView[]>({ key: `mayday.views.${project}`, defaultValue: [], getInitialValueInEffect: false });
