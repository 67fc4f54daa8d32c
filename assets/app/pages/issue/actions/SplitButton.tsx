import { ActionIcon, Button } from "@mantine/core";
import { ChevronDown } from "lucide-react";
import type { ReactNode, Ref } from "react";
import classes from "./Actions.module.css";
import { LateMenu } from "./LateMenu.tsx";

interface Props {
  label: string;
  /** Whether it is the page's main action. */
  primary?: boolean;
  /** The label of the arrow. */
  more?: string;
  icon: ReactNode;
  run: () => void;
  /** Of the menu, where a key opens it, too. */
  opened?: boolean;
  setOpened?: (opened: boolean) => void;
  /** Of the button. */
  target?: Ref<HTMLButtonElement>;
  /** The menu; without it there is only the button. */
  children?: ReactNode;
}

/** A button for the default action, and a menu of the alternatives. */
export function SplitButton({ label, primary = false, more, icon, run, opened, setOpened, target, children }: Props) {
  const variant = primary ? "filled" : "default";
  return (
    <div className={classes.split}>
      <Button variant={variant} leftSection={icon} onClick={run} {...(target ? { ref: target } : {})}>
        {label}
      </Button>
      {children && (
        <LateMenu
          position="bottom-start"
          {...(opened === undefined ? {} : { opened })}
          {...(setOpened ? { onChange: setOpened } : {})}
          target={
            <ActionIcon
              variant={variant}
              {...(primary ? { color: "accent" } : {})}
              data-primary={primary || undefined}
              aria-label={more ?? label}
              className={classes.arrow ?? ""}
            >
              <ChevronDown size="1em" aria-hidden />
            </ActionIcon>
          }
        >
          {children}
        </LateMenu>
      )}
    </div>
  );
}
