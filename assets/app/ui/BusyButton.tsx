import { Button, type ButtonProps } from "@mantine/core";
import type { ComponentPropsWithoutRef } from "react";
import classes from "./BusyButton.module.css";
import { useLate } from "./use-late.ts";

interface Props extends ButtonProps, Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps | "children"> {
  /** Whether what it does is going on. */
  busy: boolean;
  /** What it does: `Save`. */
  label: string;
  /** What it says while that takes longer than a moment: `Saving…`. */
  doing: string;
}

/** A button that says what is going on. It stays enabled, so that it keeps the focus: its owner does one thing at a time. */
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
