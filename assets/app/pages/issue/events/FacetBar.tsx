import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import type { Tags } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { counted } from "../../../ui/format.ts";
import { oneLine } from "../../../ui/visible.ts";
import { facetParts, facetQuery } from "../facet.ts";
import { type Place, tagsQuery } from "../queries.ts";
import classes from "./Events.module.css";

interface Props {
  place: Place;
  facet: string;
  /** The number of events with the value, once known. */
  found: number | undefined;
}

/** The filter of the list: a button to remove it, the number of matches, and a link to other issues with the value. */
export function FacetBar({ place, facet, found }: Props) {
  const cache = useQueryClient();
  const { key, value } = facetParts(facet) ?? { key: "", value: facet };
  const tags = cache.getQueryData<Tags>(tagsQuery(place).queryKey)?.tags ?? [];
  const known = tags.find((tag) => facet.startsWith(`${tag.facet}:`))?.values.find((each) => each.value === value);
  const words = oneLine([key, known?.alias ?? value].filter(Boolean).join(": "));
  const query = facetQuery(facet);
  return (
    <div className={classes.filter}>
      <Button
        variant="light"
        size="compact-sm"
        rightSection={<X size="1em" aria-hidden />}
        aria-label={`Remove the filter ${words}`}
        title="Remove the filter"
        renderRoot={(props) => (
          <Link
            to={paths.issue(place.project, place.issue)}
            search={(before) => ({ ...before, facet: undefined })}
            hash="events"
            state
            hashScrollIntoView={false}
            {...props}
          />
        )}
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
