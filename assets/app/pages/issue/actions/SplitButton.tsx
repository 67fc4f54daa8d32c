import { ActionIcon, Button, Menu } from "@mantine/core";
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./Actions.module.css";

interface Props {
  label: string;
  /** What the arrow opens, in words. */
  more: string;
  icon: ReactNode;
  run: () => void;
  /** Of the menu, where a key opens it, too. */
  opened?: boolean;
  setOpened?: (opened: boolean) => void;
  children: ReactNode;
}

/** A button that does the usual, and beside it a menu with the less usual. */
export function SplitButton({ label, more, icon, run, opened, setOpened, children }: Props) {
  return (
    <div className={classes.split}>
      <Button variant="default" leftSection={icon} onClick={run}>
        {label}
      </Button>
      <Menu position="bottom-start" {...(opened === undefined ? {} : { opened })} {...(setOpened ? { onChange: setOpened } : {})}>
        <Menu.Target>
          <ActionIcon variant="default" aria-label={more} className={classes.arrow ?? ""}>
            <ChevronDown size="1em" aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>{children}</Menu.Dropdown>
      </Menu>
    </div>
  );
}
