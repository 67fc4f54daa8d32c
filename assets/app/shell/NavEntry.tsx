import { Link } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import classes from "./Nav.module.css";

interface Props {
  label: string;
  folded: boolean;
  icon: LucideIcon;
  hint?: ReactNode;
  /** What is going on there; shown as a dot, even when folded. */
  live?: string | undefined;
  /** Whether that waits for the person; said in words where there is room. */
  waits?: boolean;
  /** The address to open; without it, the entry does something here. */
  to?: string;
  /** The query of the address. */
  search?: Record<string, string>;
  onClick?: () => void;
  /** Whether to mark it as open even if the address alone does not say so. */
  open?: boolean;
  /** Whether to mark it as open only at its exact address, because other queries have entries of their own. */
  exact?: boolean;
}

/** A line of the navigation: an icon and a word, of which the folded one shows the icon. */
export function NavEntry({
  label,
  folded,
  icon: Icon,
  hint,
  live,
  waits = false,
  to,
  search,
  onClick,
  open,
  exact = false,
}: Props) {
  const inside = (
    <>
      <Icon size="1rem" aria-hidden />
      <span className={folded ? "unseen" : "cut"}>{label}</span>
      {!folded && hint !== undefined && <span className={classes.hint}>{hint}</span>}
      {live !== undefined && waits && !folded && (
        <span className={classes.waits} title={live}>
          waiting for you
        </span>
      )}
      {live !== undefined && (folded || !waits) && (
        <span className={classes.live} data-waits={waits || undefined} role="img" aria-label={live} title={live} />
      )}
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
