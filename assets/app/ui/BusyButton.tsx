import { Button, type ButtonProps } from "@mantine/core";
import type { ComponentPropsWithoutRef } from "react";
import classes from "./BusyButton.module.css";
import { useLate } from "./use-late.ts";

interface Props extends ButtonProps, Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps | "children"> {
  /** Whether the action is in progress. */
  busy: boolean;
  /** The action: `Save`. */
  label: string;
  /** The label while the action takes longer than a moment: `Saving…`. */
  doing: string;
}

/**
 * A button that shows that its action is in progress. It stays enabled to keep the focus; its owner prevents a second
 * action.
 */
export function BusyButton({ busy, label, doing, ...rest }: Props) {
  const late = useLate(busy);
  return (
    <Button {...rest} {...(late && { "aria-disabled": true, "data-disabled": true })}>
      <span className={classes.label} data-other={late ? label : doing}>
        <span>{late ? doing : label}</span>
      </span>
    </Button>
  );
}
