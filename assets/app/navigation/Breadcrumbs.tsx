import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import classes from "./Breadcrumbs.module.css";
import { ancestorsOf } from "./lookup.ts";
import { usePlace } from "./place.ts";
import type { SectionId } from "./sections.ts";
import { useCarried } from "./use-carried.ts";

/** Links to the sections above a page; nothing for a page at the top. */
export function Breadcrumbs({ section }: { section: SectionId }) {
  const ancestors = ancestorsOf(section);
  return ancestors.length === 0 ? null : <Trail of={ancestors} />;
}

function Trail({ of }: { of: ReturnType<typeof ancestorsOf> }) {
  const place = usePlace();
  // What the list that one came from was limited to.
  const limits = useCarried("releases");
  return (
    <nav aria-label="Breadcrumbs" className={classes.trail}>
      <ol>
        {of.map(({ id, label, path }, at) => (
          <li key={id}>
            <Link to={path(place) ?? "."} search={id === "releases" ? limits : {}}>
              {label}
            </Link>
            {at < of.length - 1 && <ChevronRight size="0.875rem" aria-hidden />}
          </li>
        ))}
      </ol>
    </nav>
  );
}
