import { Count } from "../../ui/Count.tsx";
import classes from "./List.module.css";

/** A number of a row; its unit is beside it where there is no head above it. `when` is said on hover only. */
export function Figure({
  of,
  one,
  many = `${one}s`,
  label = of === 1 ? one : many,
  when = "",
}: {
  of: number;
  one: string;
  many?: string;
  label?: string;
  when?: string;
}) {
  return (
    <span className={of === 0 ? classes.zero : undefined}>
      <Count of={of} unit={`${of === 1 ? one : many}${when}`} />
      <span className={classes.unit}> {label}</span>
    </span>
  );
}
