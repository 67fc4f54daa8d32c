import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import classes from "./Settings.module.css";

interface Props {
  label: string;
  entries: { name: string; to: string }[];
  children: ReactNode;
}

/** Parts of settings beside each other, and the one that is open. */
export function Sections({ label, entries, children }: Props) {
  return (
    <div className={classes.settings}>
      <nav className={classes.nav} aria-label={label}>
        {entries.map(({ name, to }) => (
          <Link
            key={to}
            to={to}
            activeProps={{ "aria-current": "page" }}
            activeOptions={{ exact: true, includeSearch: false }}
            resetScroll={false}
          >
            {name}
          </Link>
        ))}
      </nav>
      <div className={`${classes.section} ${classes.fields}`}>{children}</div>
    </div>
  );
}
