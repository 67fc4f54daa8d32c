import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import type { Tags } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { counted } from "../../../ui/format.ts";
import { Empty } from "../../../ui/States.tsx";
import { oneLine } from "../../../ui/visible.ts";
import { facetParts, facetQuery } from "../facet.ts";
import { type Place, tagsQuery } from "../queries.ts";
import classes from "./Events.module.css";

interface Props {
  place: Place;
  facet: string;
  /** The number of events with the value, once known. */
  found: number | undefined;
  /** The server knows no such filter; a search for it would be refused as well. */
  isRefused: boolean;
}

/** The filter of the list: a button to remove it, the number of matches, and a link to other issues with the value. */
export function FacetBar({ place, facet, found, isRefused }: Props) {
  const cache = useQueryClient();
  const { key, value } = facetParts(facet) ?? { key: "", value: facet };
  const tags = cache.getQueryData<Tags>(tagsQuery(place).queryKey)?.tags ?? [];
  const known = tags.find((tag) => facet.startsWith(`${tag.facet}:`))?.values.find((each) => each.value === value);
  const words = oneLine([key, known?.alias ?? value].filter(Boolean).join(": "));
  const query = isRefused ? undefined : facetQuery(facet);
  return (
    <div className={classes.filter}>
      <Button
        variant="light"
        size="compact-sm"
        rightSection={<X size="1em" aria-hidden />}
        aria-label={`Remove the filter ${words}`}
        title="Remove the filter"
        renderRoot={(props) => <Cleared place={place} {...props} />}
      >
        <bdi className="cut">{words}</bdi>
      </Button>
      {found !== undefined && <span className="number">{counted(found, "event")}</span>}
      {query !== undefined && (
        <Link to={paths.issues(place.project)} search={{ query }}>
          All issues with this value
        </Link>
      )}
    </div>
  );
}

/** Leads to all events of the issue. */
const Cleared = ({ place, ...props }: { place: Place }) => (
  <Link
    to={paths.issue(place.project, place.issue)}
    search={(before) => ({ ...before, facet: undefined })}
    hash="events"
    state
    hashScrollIntoView={false}
    {...props}
  />
);

/** Replaces the list if no event has the value. */
export function NoneWithValue({ place }: { place: Place }) {
  return (
    <Empty title="No event of this issue has this value" action={<ClearFilter place={place} />}>
      <p>Clear the filter to see all of its events.</p>
    </Empty>
  );
}

/** Replaces the list if the server does not know the filter, which somebody has typed into the address. */
export function FilterNotUnderstood({ place, facet }: Pick<Props, "place" | "facet">) {
  return (
    <Empty title="Filter not understood" action={<ClearFilter place={place} />}>
      <p>
        Events cannot be filtered by “<bdi>{oneLine(facet).slice(0, 100)}</bdi>”. A filter is a name and a value, such
        as release:1.4.2, environment:production or tag.browser:Firefox.
      </p>
    </Empty>
  );
}

const ClearFilter = ({ place }: { place: Place }) => (
  <Button variant="default" renderRoot={(props) => <Cleared place={place} {...props} />}>
    Clear filter
  </Button>
);
