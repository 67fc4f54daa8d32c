import { ActionIcon } from "@mantine/core";
import { Link, useSearch } from "@tanstack/react-router";
import { CircleMinus, CirclePlus } from "lucide-react";
import { addressOf, askedOf, issueSearchOf, withTerm } from "../../issue-search/address.ts";
import { paths } from "../../paths.ts";
import { oneLine } from "../../ui/visible.ts";
import { facetOf, facetQuery } from "./facet.ts";
import classes from "./Facet.module.css";
import type { Place } from "./queries.ts";

interface Props {
  place: Place;
  /** As filters name it: `tag.browser`, `release`. */
  name: string;
  value: string;
  className?: string | undefined;
}

/** Adds a value to the search of the list that the issue was opened from, or excludes it there. */
export function FacetWays({ place, name, value, className = "" }: Props) {
  const { sort, environment, period, ...search } = issueSearchOf(useSearch({ strict: false }));
  const facet = facetOf(name, value);
  const term = facet && facetQuery(facet);
  if (term === undefined) return null;
  const what = oneLine(`${name.replace(/^tag\./, "")} ${value}`).slice(0, 100);
  const ways = [
    { words: "Issues with this value", label: `Issues with ${what}`, Icon: CirclePlus, isExcluded: false },
    { words: "Issues without this value", label: `Issues without ${what}`, Icon: CircleMinus, isExcluded: true },
  ];
  return (
    <span className={`${classes.ways} ${className}`}>
      {ways.map(({ words, label, Icon, isExcluded }) => (
        <ActionIcon
          key={label}
          size="1.5rem"
          aria-label={label}
          data-tip={words}
          renderRoot={(props) => (
            <Link
              to={paths.issues(place.project)}
              search={{ sort, environment, period, ...addressOf(withTerm(askedOf(search), term, isExcluded)) }}
              {...props}
            />
          )}
        >
          <Icon size="0.875rem" aria-hidden />
        </ActionIcon>
      ))}
    </span>
  );
}
