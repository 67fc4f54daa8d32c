import { Button, SegmentedControl } from "@mantine/core";
import { ListChecks, X } from "lucide-react";
import { counted, exact } from "../../ui/format.ts";
import { useComponent } from "../../ui/use-component.ts";
import classes from "./Bar.module.css";
import { changeMost, type Run } from "./change.ts";
import { type View, viewOf, views } from "./query.ts";

/** Which issues the list shows, and how many. */
export function Views({
  query,
  total,
  show,
}: {
  query: string;
  total: number | undefined;
  show: (view: View) => void;
}) {
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Status"
        data={views.map((value) => ({ value, label: value[0]?.toUpperCase() + value.slice(1) }))}
        value={viewOf(query) ?? ""}
        onChange={(value) => show(value as View)}
      />
      <span className={`${classes.count} number`} role="status">
        {total === undefined ? "" : counted(total, "issue")}
      </span>
    </>
  );
}

// Nothing is selected before the first input, which fetches it.
const loadMenus = () => import("./ChangeMenus.tsx");

interface ChosenProps {
  project: number;
  /** Selected issues; 0 when the one at the cursor is meant. */
  count: number;
  total: number;
  run: Run;
  menu: string | undefined;
  setMenu: (menu?: string) => void;
  chooseAll: () => void;
  choosing: boolean;
  clear: () => void;
}

/** What can be done with the selected issues, or with the one at the cursor. */
export function Chosen({ project, count, total, run, menu, setMenu, chooseAll, choosing, clear }: ChosenProps) {
  const ChangeMenus = useComponent(loadMenus, true);
  return (
    <>
      <span role="status" className={`${classes.chosen} number`}>
        {count > 0 ? (
          <>
            {exact(count)}
            <span className={classes.word}> {count === 1 ? "issue" : "issues"}</span> selected
          </>
        ) : (
          "Highlighted issue"
        )}
      </span>
      {ChangeMenus && <ChangeMenus project={project} run={run} open={menu} setOpen={setMenu} />}
      {count > 0 && count < Math.min(total, changeMost) && (
        <Button
          variant="subtle"
          leftSection={<ListChecks size="0.875rem" aria-hidden />}
          onClick={chooseAll}
          loading={choosing}
        >
          <span className={classes.word}>
            Select {total > changeMost ? `the first ${counted(changeMost, "issue")}` : `all ${counted(total, "issue")}`}
          </span>
        </Button>
      )}
      <Button variant="subtle" color="gray" leftSection={<X size="0.875rem" aria-hidden />} onClick={clear}>
        <span className={classes.word}>Clear</span>
      </Button>
    </>
  );
}
