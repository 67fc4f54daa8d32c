import { Button, Menu } from "@mantine/core";
import { ChevronDown, FileText, Flag } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import type { Issue, Priority } from "../../../api/schema.d.ts";
import { priorities } from "../../../ui/priorities.ts";
import classes from "./Actions.module.css";
import { Assign } from "./Assign.tsx";
import { LateMenu } from "./LateMenu.tsx";
import { MoreActions } from "./MoreActions.tsx";
import { StatusActions } from "./StatusActions.tsx";
import type { DoChange } from "./use-change.ts";

export type Menus = "assign" | "ignore" | "priority";

interface Props {
  issue: Issue;
  change: DoChange;
  /** The menu that is open; keys open them, too. */
  menu: Menus | undefined;
  setMenu: (menu: Menus | undefined) => void;
  copyMarkdown: () => void;
  copyLink: () => void;
  letAgentLook: () => void;
  afterRemove?: (() => Promise<void>) | undefined;
}

/** Everything that can be done with the issue. */
export function Actions({ issue, change, menu, setMenu, copyMarkdown, copyLink, letAgentLook, afterRemove }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  // A menu is not shown while its button is out of sight, and gives the focus back to what had it.
  useLayoutEffect(() => {
    const button = menu && bar.current?.querySelector<HTMLElement>("[aria-expanded=true]");
    button?.scrollIntoView({ block: "nearest", behavior: "instant" });
    button?.focus({ preventScroll: true });
  }, [menu]);
  return (
    <div className={classes.bar} ref={bar} role="group" aria-label="Actions">
      <StatusActions
        issue={issue}
        change={change}
        ignoring={menu === "ignore"}
        setIgnoring={(opened) => setMenu(opened ? "ignore" : undefined)}
      />
      <div className={classes.pair}>
        <Assign
          issue={issue}
          change={change}
          opened={menu === "assign"}
          setOpened={(opened) => setMenu(opened ? "assign" : undefined)}
        />
        <PriorityMenu
          issue={issue}
          change={change}
          opened={menu === "priority"}
          setOpened={(opened) => setMenu(opened ? "priority" : undefined)}
        />
      </div>
      <Button
        variant="subtle"
        color="gray"
        className={classes.copy ?? ""}
        title="Copy as Markdown"
        leftSection={<FileText size="1em" aria-hidden />}
        onClick={copyMarkdown}
      >
        <span className={classes.word}>Copy as Markdown</span>
      </Button>
      <MoreActions issue={issue} copyLink={copyLink} letAgentLook={letAgentLook} afterRemove={afterRemove} />
    </div>
  );
}

interface PriorityProps extends Pick<Props, "issue" | "change"> {
  opened: boolean;
  setOpened: (opened: boolean) => void;
}

function PriorityMenu({ issue, change, opened, setOpened }: PriorityProps) {
  return (
    <LateMenu
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      target={
        <Button
          variant="subtle"
          color="gray"
          leftSection={<Flag size="1em" aria-hidden />}
          rightSection={<ChevronDown size="1em" aria-hidden />}
        >
          <span className={classes.named}>
            <span className={classes.label}>Priority: </span>
            {priorities[issue.priority].word}
          </span>
        </Button>
      }
    >
      {(Object.keys(priorities) as Priority[]).map((priority) => {
        const { Icon, word } = priorities[priority];
        return (
          <Menu.Item
            key={priority}
            leftSection={<Icon size="1em" aria-hidden />}
            onClick={() => priority !== issue.priority && change({ priority })}
          >
            {word}
          </Menu.Item>
        );
      })}
    </LateMenu>
  );
}
