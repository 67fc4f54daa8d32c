import { Count } from "../../ui/Count.tsx";
import classes from "./List.module.css";

/** A number in a row; it shows its unit where there is no column header. */
export function Figure({
  of,
  one,
  many = `${one}s`,
  label = many,
}: {
  of: number;
  one: string;
  many?: string;
  label?: string;
}) {
  return (
    <span className={of === 0 ? classes.zero : undefined}>
      <Count of={of} unit={of === 1 ? one : many} />
      <span className={classes.unit}> {label}</span>
    </span>
  );
}
