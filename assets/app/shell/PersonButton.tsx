import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { meQuery } from "../api/queries.ts";
import { Line } from "../ui/Text.tsx";
import { initials } from "./initials.ts";
import classes from "./Nav.module.css";

/** Who is signed in; opens their menu. */
export function PersonButton({ folded, ...button }: { folded: boolean } & ComponentProps<"button">) {
  const me = useQuery(meQuery).data;
  const name = me ? me.name || me.email : "…";
  return (
    <button type="button" {...button} className={classes.person}>
      <span className="unseen">You:</span>
      <span className={classes.mark} aria-hidden data-initials={initials(name)} />
      {folded ? <span className="unseen">{name}</span> : <Line text={name} />}
    </button>
  );
}
