import { Button, SegmentedControl } from "@mantine/core";
import { ListChecks, X } from "lucide-react";
import type { Issue } from "../../api/schema.d.ts";
import { type Status, statuses } from "../../issue-search/address.ts";
import { counted, exact } from "../../ui/format.ts";
import { useComponent } from "../../ui/use-component.ts";
import classes from "./Bar.module.css";
import { changeMost, type Run } from "./change.ts";

/** Which issues the list shows, and how many. */
export function StatusControl({
  status,
  total,
  show,
}: {
  status: Status;
  total: number | undefined;
  show: (status: Status) => void;
}) {
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Status"
        data={statuses.map((value) => ({ value, label: value[0]?.toUpperCase() + value.slice(1) }))}
        value={status}
        onChange={(value) => show(value as Status)}
      />
      <span className={`${classes.count} number`} role="status">
        {total === undefined ? "" : counted(total, "issue")}
      </span>
    </>
  );
}

// Nothing can be selected before the first input, which loads this code.
const loadMenus = () => import("./ChangeMenus.tsx");

interface MenusProps {
  project: number;
  run: Run;
  menu: string | undefined;
  setMenu: (menu?: string) => void;
}

/** Actions on the issue at the cursor, beside the filters. */
export function AtCursor({ issue, project, run, menu, setMenu }: MenusProps & { issue: Issue }) {
  const ChangeMenus = useComponent(loadMenus, true);
  return (
    <div className={classes.here} role="group" aria-label={`Change ${issue.short_id}`}>
      <div className={classes.acts}>
        <span className={`${classes.name} mono`}>{issue.short_id}</span>
        {ChangeMenus && <ChangeMenus project={project} run={run} open={menu} setOpen={setMenu} at={issue} />}
      </div>
    </div>
  );
}

interface ChosenProps extends MenusProps {
  /** Selected issues. */
  count: number;
  total: number;
  chooseAll: () => void;
  choosing: boolean;
  clear: () => void;
}

/** Actions on the selected issues. */
export function Chosen({ project, count, total, run, menu, setMenu, chooseAll, choosing, clear }: ChosenProps) {
  const ChangeMenus = useComponent(loadMenus, true);
  return (
    <>
      <span role="status" className={`${classes.chosen} number`}>
        {exact(count)}
        <span className={classes.word}> {count === 1 ? "issue" : "issues"} selected</span>
      </span>
      {ChangeMenus && <ChangeMenus project={project} run={run} open={menu} setOpen={setMenu} />}
      {count < Math.min(total, changeMost) && (
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
      <Button
        className={classes.clear ?? ""}
        variant="subtle"
        color="gray"
        leftSection={<X size="0.875rem" aria-hidden />}
        onClick={clear}
      >
        <span className={classes.word}>Clear</span>
      </Button>
    </>
  );
}
