import { SegmentedControl, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useRef, useState } from "react";
import { type MapSort, mapSorts, sourceMapsQuery } from "../../api/release-queries.ts";
import type { ReleaseHealth, SourceMap } from "../../api/schema.d.ts";
import { bytes, counted, exact } from "../../ui/format.ts";
import { Answer } from "../../ui/States.tsx";
import { ShowMore, useMore } from "../lists/ShowMore.tsx";
import { MapBones } from "./Bones.tsx";
import listClasses from "./List.module.css";
import { MapList } from "./MapList.tsx";
import classes from "./Release.module.css";
import { useSearch } from "./use-search.ts";

const sortWords: Record<MapSort, string> = { url: "By URL", size: "Largest", uses: "Most used" };

interface Props {
  project: number;
  release: ReleaseHealth;
  /** Whether nothing of its events needs any. */
  needless: boolean;
}

/** A release's source maps, with how much each was used. */
export function SourceMaps({ project, release, needless }: Props) {
  const [query, setQuery] = useState("");
  const [sort, setSort] = useState<MapSort>("url");
  const [typed, setTyped] = useSearch(query, setQuery);
  const search = useRef<HTMLInputElement>(null);
  const maps = useInfiniteQuery(sourceMapsQuery(project, release.version, query, sort));
  const more = useMore(maps);
  const rows = maps.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <section className={classes.section} aria-labelledby="maps">
      <h2 id="maps">Source maps</h2>
      {release.source_map_count > 0 && (
        <div className={listClasses.bar}>
          <TextInput
            ref={search}
            className={listClasses.search ?? ""}
            type="search"
            aria-label="Search source maps"
            placeholder="Search URLs"
            leftSection={<Search size="0.875rem" aria-hidden />}
            maxLength={512}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
          />
          <SegmentedControl
            size="xs"
            aria-label="Sort source maps"
            data={mapSorts.map((value) => ({ value, label: sortWords[value] }))}
            value={sort}
            onChange={(value) => setSort(value as MapSort)}
          />
          <span className={listClasses.count} role="status">
            {summary(rows, maps.data?.pages.at(-1)?.total)}
          </span>
        </div>
      )}
      <Answer query={maps} what="The source maps" bones={<MapBones rows={Math.min(release.source_map_count, 12)} />}>
        {() => {
          if (release.source_map_count === 0 && rows.length === 0)
            return (
              <p className={classes.lead}>
                {needless
                  ? "No source maps have been uploaded, and nothing here needs them."
                  : "No source maps have been uploaded, so minified frames of this release stay as they are."}
              </p>
            );
          if (rows.length === 0) return <p className={classes.lead}>No source map has a URL that contains this.</p>;
          return (
            <MapList
              maps={rows}
              total={maps.data?.pages.at(-1)?.total ?? 0}
              old={maps.isPlaceholderData}
              more={more}
              search={search}
            />
          );
        }}
      </Answer>
      <ShowMore query={maps} />
    </section>
  );
}

/** How many, and how large together; of a part while only a part is here. */
function summary(rows: SourceMap[], total: number | undefined): string {
  if (total === undefined) return "";
  const size = bytes(rows.reduce((sum, { file_size }) => sum + file_size, 0));
  const part = rows.length < total ? ` for the first ${exact(rows.length)}` : "";
  return `${counted(total, "source map")}, ${size}${part}`;
}
