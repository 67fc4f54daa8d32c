import { type ReactNode, useEffect } from "react";
import classes from "./Page.module.css";

interface Props {
  title: string;
  /** In the browser's tab, when it differs from the title. */
  tab?: string;
  /** Beside the title, at its right. */
  actions?: ReactNode;
  /** Under the title, before the content. */
  bar?: ReactNode;
  /** Lists take the whole width, forms a readable one. */
  wide?: boolean;
  /** The heading is for screen readers only: the page shows its own. */
  bare?: boolean;
  children: ReactNode;
}

/** A page's frame: title, its actions, its bar, and the content below. */
export function Page({ title, tab, actions, bar, wide = false, bare = false, children }: Props) {
  useTitle(tab ?? title);
  return (
    <div className={classes.page} data-wide={wide || undefined}>
      <div className={bare ? "unseen" : classes.head}>
        <h1 id="page-title">{title}</h1>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {bar}
      {children}
    </div>
  );
}

/** Names the browser's tab while the caller is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Mayday" : `${title} · Mayday`;
  }, [title]);
}
