import { useNavigate } from "@tanstack/react-router";
import type { Issue, Walk } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { type Key, useKeys } from "../../shell/keys.ts";
import type { Menus } from "./actions/Actions.tsx";
import type { DoChange } from "./actions/use-change.ts";
import type { Place } from "./queries.ts";
import type { Neighbours } from "./neighbours/use-neighbours.ts";
import type { View } from "./stack/Stack.tsx";
import type { WayBack } from "./use-list-address.ts";

interface IssueKeysInput {
  issue: Issue;
  place: Place;
  list: WayBack;
  neighbours: Neighbours;
  walk: Walk | undefined;
  change: DoChange;
  view: View;
  setView: (view: View) => void;
  menu: Menus | undefined;
  open: (menu: Menus | undefined) => void;
  copy: () => void;
}

/** The page's shortcuts. */
export function useIssueKeys({
  issue,
  place,
  list,
  neighbours,
  walk,
  change,
  view,
  setView,
  menu,
  open,
  copy,
}: IssueKeysInput): void {
  const navigate = useNavigate();
  const to = (event: string | null | undefined) => () => {
    if (event)
      void navigate({
        to: paths.issue(place.project, place.issue),
        search: (before) => ({ ...before, event }),
        state: true,
        replace: true,
        resetScroll: false,
      });
  };
  const status = (wanted: Issue["status"]) => () => change({ status: wanted });
  const keys: Key[] = [
    { keys: "j", does: "Next issue", repeats: true, run: () => neighbours.open(neighbours.next) },
    { keys: "k", does: "Previous issue", repeats: true, run: () => neighbours.open(neighbours.previous) },
    issue.status === "resolved"
      ? { keys: "e", does: "Reopen", isAct: true, run: status("unresolved") }
      : { keys: "e", does: "Resolve", isAct: true, run: status("resolved") },
    issue.status === "ignored"
      ? { keys: "i", does: "Reopen", isAct: true, run: status("unresolved") }
      : { keys: "i", does: "Ignore…", isAct: true, run: () => open("ignore") },
    { keys: "a", does: "Assign…", isAct: true, run: () => open("assign") },
    { keys: "p", does: "Set the priority…", isAct: true, run: () => open("priority") },
    { keys: "c", does: "Copy as Markdown", isAct: true, run: copy },
    {
      keys: "m",
      does: "Switch between original and minified stack",
      run: () => setView(view === "minified" ? "original" : "minified"),
    },
    { keys: "[", does: "Older event", repeats: true, run: to(walk?.older) },
    { keys: "]", does: "Newer event", repeats: true, run: to(walk?.newer) },
    { keys: "h", does: "Older event", repeats: true, run: to(walk?.older) },
    { keys: "l", does: "Newer event", repeats: true, run: to(walk?.newer) },
    { keys: "u", does: "Back to the list of issues", run: list.back },
    { keys: "Escape", does: "Back to the list of issues", run: menu ? () => open(undefined) : list.back },
  ];
  useKeys("Issue", keys);
}
