import type { ReactNode } from "react";
import { useTitle } from "../ui/use-title.ts";
import { Breadcrumbs } from "./Breadcrumbs.tsx";
import { sectionOf, tabTitle } from "./lookup.ts";
import classes from "./Page.module.css";
import type { SectionId } from "./sections.ts";

type Props = {
  /** Right beside the title, at its end. */
  beside?: ReactNode;
  /** Beside the title, at its right. */
  actions?: ReactNode;
  /** Under the title, before the content. */
  bar?: ReactNode;
  /** Lists take the whole width, forms a readable one. */
  wide?: boolean;
  /** The heading is for screen readers only: the page shows its own. */
  bare?: boolean;
  children: ReactNode;
} & (
  | {
      /** The page's section, which names the browser's tab, and the page if it has no title. */
      section: SectionId;
      title?: string;
    }
  | {
      section?: undefined;
      title: string;
      /** In the browser's tab, where it differs from the title. */
      tab?: string;
    }
);

/** The frame of a page: breadcrumbs, title, actions, bar, and the content below. */
export function Page({ beside, actions, bar, wide = false, bare = false, children, ...named }: Props) {
  const { section } = named;
  const title = named.section === undefined ? named.title : (named.title ?? sectionOf(named.section).label);
  useTitle(named.section === undefined ? (named.tab ?? title) : tabTitle(named.section, title));
  return (
    <div className={classes.page} data-wide={wide || undefined}>
      {section !== undefined && !bare && <Breadcrumbs section={section} />}
      <div className={bare ? "unseen" : classes.head}>
        <div className={classes.title}>
          <h1 id="page-title">{title}</h1>
          {beside}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {bar}
      {children}
    </div>
  );
}
