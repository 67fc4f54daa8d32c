import { useNavigate, useParams } from "@tanstack/react-router";
import type { RefObject } from "react";
import type { IssueSearch } from "../../issue-search/address.ts";
import { paths } from "../../paths.ts";
import { useKeys } from "../../shell/keys.ts";
import type { Run } from "./change.ts";
import { noteOpened } from "./opened.ts";
import type { useSelection } from "./selection.ts";

interface Props {
  selection: ReturnType<typeof useSelection>;
  /** The address of the list, which the issue's page leads back to. */
  search: IssueSearch;
  /** The issues that a change applies to: the selected ones, or the one at the cursor. */
  targets: number[];
  run: Run;
  setMenu: (menu: string) => void;
  input: RefObject<HTMLInputElement | null>;
}

/** Keyboard shortcuts of the list. */
export function useListKeys({ selection, search, targets, run, setMenu, input }: Props): void {
  const navigate = useNavigate();
  const { projectId } = useParams({ from: "/inside/projects/$projectId" });
  const { current } = selection;
  const open = () => {
    if (current === undefined) return;
    noteOpened(projectId, { id: current, place: selection.cursor ?? 0 });
    void navigate({ to: paths.issue(projectId, current), search, state: { fromList: true } });
  };
  /** Whether there is anything to change. */
  const isAct = targets.length > 0;
  const ready = (what: () => void) => () => {
    if (isAct) what();
  };
  useKeys("Issue list", [
    { keys: "j", does: "Next issue", repeats: true, run: () => selection.move(1) },
    { keys: "k", does: "Previous issue", repeats: true, run: () => selection.move(-1) },
    { keys: "o", does: "Open the issue", run: open },
    {
      keys: "x",
      does: "Select or deselect the issue",
      run: () => current !== undefined && selection.choose(current, !selection.chosen.has(current), false),
    },
    { keys: "e", does: "Resolve", isAct, run: ready(() => run({ status: "resolved" }, "resolved")) },
    { keys: "i", does: "Ignore…", isAct, run: ready(() => setMenu("ignore")) },
    { keys: "a", does: "Assign…", isAct, run: ready(() => setMenu("assign")) },
    { keys: "p", does: "Set the priority…", isAct, run: ready(() => setMenu("priority")) },
    {
      keys: "/",
      does: "Search",
      run: () => input.current && goOn(input.current),
    },
    { keys: "Escape", does: "Clear the selection", run: selection.reset },
  ]);
}

/** Puts the caret after the text and a space, so that typing continues the search. */
function goOn(field: HTMLInputElement): void {
  field.focus();
  const end = field.value.length;
  field.setSelectionRange(end, end);
  if (end === 0 || field.value.endsWith(" ")) return;
  field.setRangeText(" ", end, end, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
