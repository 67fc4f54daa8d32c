import { isLimited, limitsOf } from "../../navigation/limits.ts";
import { useCarried } from "../../navigation/use-carried.ts";
import classes from "./Release.module.css";

/** Says that what a page shows is not limited, where the lists around it are. */
export function OfAll() {
  const limits = limitsOf(useCarried("releases"));
  return isLimited(limits) ? (
    <p className={classes.lead}>This page shows what happened in all environments and at all times.</p>
  ) : null;
}
