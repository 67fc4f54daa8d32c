import { Button, Menu } from "@mantine/core";
import { ChevronDown, CircleCheck, CircleSlash, Flag, RotateCcw, UserRound } from "lucide-react";
import classes from "./Bar.module.css";
import type { Run } from "./change.ts";
import { useMembers } from "./members.ts";

const icon = { size: "0.875rem", "aria-hidden": true } as const;
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();

const priorities = [
  { priority: "high", label: "High" },
  { priority: "medium", label: "Medium" },
  { priority: "low", label: "Low" },
] as const;

/** What can be done with the selected issues, each a button or a menu. `open` names the menu opened by its key. */
export default function ChangeMenus({
  project,
  run,
  open,
  setOpen,
}: {
  project: number;
  run: Run;
  open: string | undefined;
  setOpen: (menu?: string) => void;
}) {
  const menu = (name: string) => ({
    opened: open === name,
    onChange: (opened: boolean) => setOpen(opened ? name : undefined),
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<CircleCheck {...icon} />}
        onClick={() => run({ status: "resolved" }, "resolved")}
      >
        <span className={classes.word}>Resolve</span>
      </Button>
      <Menu {...menu("ignore")}>
        <Menu.Target>
          <Button variant="default" leftSection={<CircleSlash {...icon} />} rightSection={<ChevronDown {...icon} />}>
            <span className={classes.word}>Ignore</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => run({ status: "ignored" }, "ignored")}>Indefinitely</Menu.Item>
          <Menu.Item onClick={() => run({ status: "ignored", ignore_until: hours(24) }, "ignored for 1 day")}>
            For 1 day
          </Menu.Item>
          <Menu.Item onClick={() => run({ status: "ignored", ignore_until: hours(168) }, "ignored for 1 week")}>
            For 1 week
          </Menu.Item>
          <Menu.Item onClick={() => run({ status: "ignored", ignore_events: 100 }, "ignored until 100 more events")}>
            Until 100 more events
          </Menu.Item>
          <Menu.Item onClick={() => run({ status: "ignored", ignore_users: 10 }, "ignored until 10 more users")}>
            Until 10 more users
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        variant="default"
        leftSection={<RotateCcw {...icon} />}
        onClick={() => run({ status: "unresolved" }, "reopened")}
      >
        <span className={classes.word}>Reopen</span>
      </Button>
      <Menu {...menu("assign")}>
        <Menu.Target>
          <Button variant="default" leftSection={<UserRound {...icon} />} rightSection={<ChevronDown {...icon} />}>
            <span className={classes.word}>Assign</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="60dvh" style={{ overflowY: "auto" }}>
          <Members project={project} run={run} />
        </Menu.Dropdown>
      </Menu>
      <Menu {...menu("priority")}>
        <Menu.Target>
          <Button variant="default" leftSection={<Flag {...icon} />} rightSection={<ChevronDown {...icon} />}>
            <span className={classes.word}>Priority</span>
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
          {member.me ? `Me (${member.name || member.email})` : member.name || member.email}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item onClick={() => run({ assignee: null }, "unassigned")}>Nobody</Menu.Item>
    </>
  );
}
