import { Link } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./Nav.module.css";

interface Props {
  label: string;
  folded: boolean;
  icon: LucideIcon;
  hint?: ReactNode;
  /** What goes on there: a dot that says so, in the folded one, too. */
  live?: string | undefined;
  /** Where it leads; without it, it does something here. */
  to?: string;
  /** What its address says beyond that. */
  search?: Record<string, string>;
  onClick?: () => void;
  /** It is marked as open also where the address alone would not say so. */
  open?: boolean;
  /** It is marked as open at its very address only: what the address asks for beyond it is an entry of its own. */
  exact?: boolean;
}

/** A line of the navigation: an icon and a word, of which the folded one shows the icon. */
export function NavEntry({ label, folded, icon: Icon, hint, live, to, search, onClick, open, exact = false }: Props) {
  const inside = (
    <>
      <Icon size="1rem" aria-hidden />
      <span className={folded ? "unseen" : "cut"}>{label}</span>
      {!folded && hint !== undefined && <span className={classes.hint}>{hint}</span>}
      {live !== undefined && <span className={classes.live} role="img" aria-label={live} title={live} />}
    </>
  );
  const tip = folded ? { "data-tip": label, "data-tip-side": "right" } : {};
  return to === undefined ? (
    <button type="button" className={classes.entry} onClick={onClick} {...tip}>
      {inside}
    </button>
  ) : (
    <Link
      to={to}
      {...(search && { search })}
      className={classes.entry ?? ""}
      aria-current={open ? "page" : undefined}
      activeOptions={{ exact, includeSearch: exact }}
      {...tip}
    >
      {inside}
    </Link>
  );
}
