import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { counted } from "../../ui/format.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import { type LogSearch, anyTimeRange } from "./address.ts";
import { FirstEntry } from "./FirstEntry.tsx";
import { countQuery } from "./queries.ts";

interface Props {
  project: number;
  search: LogSearch;
  show: (change: Partial<LogSearch>) => void;
  refresh: () => void;
}

/** Why there is nothing: no entries have been sent yet, or none match. */
export function Nothing({ project, search, show, refresh }: Props) {
  const all = useQuery(countQuery(project));
  const isNarrowed = search.query !== undefined || search.levels !== undefined;
  return (
    <Answer query={all} what="The number of entries" rows={3}>
      {(total) => {
        if (total === 0) return <FirstEntry project={project} arrived={refresh} />;
        const actions = (
          <>
            {isNarrowed && (
              <Button variant="default" onClick={() => show({ query: undefined, levels: undefined })}>
                Clear filters
              </Button>
            )}
            <Button variant="default" onClick={() => show(anyTimeRange())}>
              Search all time
            </Button>
          </>
        );
        return (
          <Empty title={isNarrowed ? "No matching entries" : "No entries in this time range"} action={actions}>
            <p>
              This project has {counted(total, "entry", "entries")} in total. Try a longer time range, or fewer words
              and levels.
            </p>
          </Empty>
        );
      }}
    </Answer>
  );
}
