import { Button, Menu } from "@mantine/core";
import { ChevronDown, CircleCheck, CircleDot, CircleSlash, Flag, UserRound } from "lucide-react";
import { useState } from "react";
import { keepFocus } from "./focus.ts";
import type { Issue } from "../../api/schema.d.ts";
import { AskDialog } from "../issue/actions/AskDialog.tsx";
import { IgnoreItems } from "../issue/actions/IgnoreItems.tsx";
import { ignoredWords, type Question } from "../issue/actions/question.ts";
import classes from "./Bar.module.css";
import type { Run } from "./change.ts";
import { useMembers } from "./members.ts";

const icon = { size: "0.875rem", "aria-hidden": true } as const;

const priorities = [
  { priority: "high", label: "High" },
  { priority: "medium", label: "Medium" },
  { priority: "low", label: "Low" },
] as const;

/**
 * Actions on issues, each a button or a menu. `open` is the menu opened by its key. `at` is the issue at the cursor,
 * for which buttons are muted, show their keys, and leave out its current state.
 */
export default function ChangeMenus({
  project,
  run,
  open,
  setOpen,
  at,
}: {
  project: number;
  run: Run;
  open: string | undefined;
  setOpen: (menu?: string) => void;
  at?: Issue;
}) {
  const [question, setQuestion] = useState<Question>();
  const look = at ? ({ variant: "subtle", color: "gray" } as const) : ({ variant: "default" } as const);
  const end = (key: string, opens = true) =>
    at ? <kbd className={classes.key}>{key}</kbd> : opens && <ChevronDown {...icon} />;
  const menu = (name: string) => ({
    opened: open === name,
    onChange: (opened: boolean) => setOpen(opened ? name : undefined),
  });
  return (
    <>
      {at?.status !== "resolved" && (
        <Button
          data-tip="Resolve"
          {...look}
          leftSection={<CircleCheck {...icon} />}
          rightSection={end("E", false)}
          onClick={() => run({ status: "resolved" }, "resolved")}
        >
          <span className={classes.word} data-word data-kept>
            Resolve
          </span>
        </Button>
      )}
      <Menu {...menu("ignore")}>
        <Menu.Target>
          <Button data-tip="Ignore" {...look} leftSection={<CircleSlash {...icon} />} rightSection={end("I")}>
            <span className={classes.word} data-word data-kept>
              Ignore
            </span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <IgnoreItems ignore={run} ask={setQuestion} />
        </Menu.Dropdown>
      </Menu>
      {at?.status !== "unresolved" && (
        <Button
          data-tip="Reopen"
          {...look}
          leftSection={<CircleDot {...icon} />}
          onClick={() => run({ status: "unresolved" }, "reopened")}
        >
          <span className={classes.word} data-word>
            Reopen
          </span>
        </Button>
      )}
      <Menu {...menu("assign")}>
        <Menu.Target>
          <Button data-tip="Assign" {...look} leftSection={<UserRound {...icon} />} rightSection={end("A")}>
            <span className={classes.word} data-word>
              Assign
            </span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="60dvh" style={{ overflowY: "auto" }}>
          <Members project={project} run={run} />
        </Menu.Dropdown>
      </Menu>
      <Menu {...menu("priority")}>
        <Menu.Target>
          <Button data-tip="Priority" {...look} leftSection={<Flag {...icon} />} rightSection={end("P")}>
            <span className={classes.word} data-word>
              Priority
            </span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {priorities.map(({ priority, label }) => (
            <Menu.Item key={priority} onClick={() => run({ priority }, `set to ${priority} priority`)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <AskDialog
        question={question}
        close={() => setQuestion(undefined)}
        closed={keepFocus}
        project={project}
        change={(change) => run(change, ignoredWords(change))}
      />
    </>
  );
}

function Members({ project, run }: { project: number; run: Run }) {
  const members = useMembers(project);
  return (
    <>
      {members.map((member) => (
        <Menu.Item
          key={member.id}
          onClick={() => run({ assignee: member.id }, `assigned to ${member.name || member.email}`)}
        >
          {member.name || member.email}
          {member.me && " (me)"}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item onClick={() => run({ assignee: null }, "unassigned")}>Nobody</Menu.Item>
    </>
  );
}
