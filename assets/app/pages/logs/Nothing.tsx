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

/** Why there is nothing: none was sent yet, or none fits. */
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
                Show all
              </Button>
            )}
            <Button variant="default" onClick={() => show(anyTimeRange())}>
              Search all times
            </Button>
          </>
        );
        return (
          <Empty title={isNarrowed ? "No entry fits" : "No entry in this time"} action={actions}>
            <p>
              The project has {counted(total, "entry", "entries")} in all. A longer time, or fewer words and levels,
              find more.
            </p>
          </Empty>
        );
      }}
    </Answer>
  );
}
