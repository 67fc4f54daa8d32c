import type { ComponentProps } from "react";
import classes from "./Check.module.css";

interface Props extends Omit<ComponentProps<"input">, "type" | "className" | "ref"> {
  /** Some of what it stands for is chosen. */
  indeterminate?: boolean;
}

/** A checkbox without a label of its own, light enough for each row of a list. */
export function Check({ indeterminate = false, ...input }: Props) {
  return (
    <input
      {...input}
      type="checkbox"
      className={classes.check ?? ""}
      ref={(box) => {
        if (box) box.indeterminate = indeterminate;
      }}
    />
  );
}
