import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Info } from "lucide-react";
import { useCallback, useMemo } from "react";
import { isStatus } from "../../api/error.ts";
import { Answer } from "../../ui/States.tsx";
import { EntryBones } from "./Bones.tsx";
import type { LogSearch } from "./address.ts";
import classes from "./Bar.module.css";
import { LogList } from "./LogList.tsx";
import { NoEntries } from "./NoEntries.tsx";
import { merged } from "./pages.ts";
import { entriesQuery } from "./queries.ts";
import type { Filters } from "./range.ts";
import type { Show } from "./use-show.ts";

/** The matching entries, loaded page by page on scrolling. */
export function useEntries(project: number, filters: Filters) {
  const query = useInfiniteQuery(entriesQuery(project, filters));
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, isPlaceholderData, fetchNextPage } = query;
  const entries = useMemo(() => merged(data?.pages ?? []), [data]);
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !isPlaceholderData) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, isPlaceholderData, fetchNextPage]);
  const first = data?.pages[0];
  return { query, entries, more, total: first?.total, hints: first?.hints, isRebuilding: first?.rebuilding ?? false };
}

interface Props {
  project: number;
  search: LogSearch;
  found: ReturnType<typeof useEntries>;
  show: Show;
  refresh: () => void;
  choose: (id: number) => void;
}

export function Entries({ project, search, found, show, refresh, choose }: Props) {
  const { query, entries, more, total = 0, isRebuilding } = found;
  // The search field shows it.
  if (isStatus(query.error, 422)) return null;
  return (
    <>
      {isRebuilding && <Rebuilding />}
      <Answer query={query} what="The logs" bones={<EntryBones rows={16} />}>
        {() =>
          entries.length === 0 && !query.isPlaceholderData ? (
            <NoEntries project={project} search={search} hints={found.hints ?? []} show={show} refresh={refresh} />
          ) : (
            <LogList
              entries={entries}
              total={total}
              old={query.isPlaceholderData}
              chosen={search.entry}
              choose={choose}
              more={more}
            />
          )
        }
      </Answer>
      {query.isFetchNextPageError && (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Older entries could not be loaded. Try again
        </Button>
      )}
    </>
  );
}

function Rebuilding() {
  return (
    <p className={classes.note} role="note">
      <Info aria-hidden />
      <span>The log index is being rebuilt. Older entries will reappear gradually; nothing is lost.</span>
    </p>
  );
}
