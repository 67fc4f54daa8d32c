import { ActionIcon, Button, Menu } from "@mantine/core";
import { ChevronDown } from "lucide-react";
import type { ReactNode, Ref } from "react";
import classes from "./Actions.module.css";

interface Props {
  label: string;
  /** What the arrow opens, in words. */
  more?: string;
  icon: ReactNode;
  run: () => void;
  /** Of the menu, where a key opens it, too. */
  opened?: boolean;
  setOpened?: (opened: boolean) => void;
  /** Of the usual. */
  target?: Ref<HTMLButtonElement>;
  /** The less usual; without it there is no menu. */
  children?: ReactNode;
}

/** A button that does the usual, and beside it a menu with the less usual. */
export function SplitButton({ label, more, icon, run, opened, setOpened, target, children }: Props) {
  return (
    <div className={classes.split}>
      <Button variant="default" leftSection={icon} onClick={run} {...(target ? { ref: target } : {})}>
        {label}
      </Button>
      {children && (
        <Menu
          position="bottom-start"
          {...(opened === undefined ? {} : { opened })}
          {...(setOpened ? { onChange: setOpened } : {})}
        >
          <Menu.Target>
            <ActionIcon variant="default" aria-label={more ?? label} className={classes.arrow ?? ""}>
              <ChevronDown size="1em" aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>{children}</Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}
