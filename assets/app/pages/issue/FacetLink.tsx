import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { paths } from "../../paths.ts";
import { eventSearchOf } from "./address.ts";
import { facetOf } from "./facet.ts";
import type { Place } from "./queries.ts";

interface Props {
  place: Place;
  /** As filters name it: `tag.browser`, `release`. */
  name: string;
  value: string;
  className: string | undefined;
  children: ReactNode;
}

/** A link to the issue's events with a value; plain text if the value cannot be filtered by. */
export function FacetLink({ place, name, value, className, children }: Props) {
  const facet = facetOf(name, value);
  if (facet === undefined) return <span className={className}>{children}</span>;
  return (
    <Link
      to={paths.issue(place.project, place.issue)}
      search={(before) => ({ ...eventSearchOf(before), facet })}
      hash="events"
      state
      hashScrollIntoView={false}
      className={className}
    >
      {children}
    </Link>
  );
}
