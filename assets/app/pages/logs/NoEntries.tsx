import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { SearchHint } from "../../api/schema.d.ts";
import { environmentWords } from "../../navigation/limits.ts";
import { counted } from "../../ui/format.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import { visible } from "../../ui/visible.ts";
import { type LogSearch, anyTimeRange } from "./address.ts";
import { FirstEntry } from "./FirstEntry.tsx";
import classes from "./Page.module.css";
import { countQuery } from "./queries.ts";
import { rangeWords } from "./range.ts";

interface Props {
  project: number;
  search: LogSearch;
  /** The server's hints: parts of the search that match no entry. */
  hints: SearchHint[];
  show: (change: Partial<LogSearch>) => void;
  refresh: () => void;
}

/** Why there is nothing: no entries have been sent yet, or none match. */
export function NoEntries({ project, search, hints, show, refresh }: Props) {
  const all = useQuery(countQuery(project));
  const isNarrowed = search.query !== undefined || search.levels !== undefined;
  return (
    <Answer query={all} what="The number of entries" rows={3}>
      {(total) => {
        if (total === 0) return <FirstEntry project={project} arrived={refresh} />;
        const actions = (
          <>
            {search.environment !== undefined && (
              <Button variant="default" onClick={() => show({ environment: undefined })}>
                Show all environments
              </Button>
            )}
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
          <Empty title={titleOf(search, isNarrowed)} action={actions}>
            {hints.length > 0 && (
              <ul className={classes.hints}>
                {hints.map((hint) => (
                  <li key={hint.part}>
                    Nothing in this time range has <code>{visible(hint.part)}</code>.{" "}
                    {hint.instead !== null && (
                      <>
                        <Button variant="subtle" size="compact-sm" px={2} onClick={() => show(withHint(search, hint))}>
                          {visible(hint.instead ?? "")}
                        </Button>{" "}
                        is in {counted(hint.found, "entry", "entries")}.
                      </>
                    )}
                  </li>
                ))}
              </ul>
            )}
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

function titleOf({ environment, ...times }: LogSearch, isNarrowed: boolean): string {
  const place = environment === undefined ? "" : ` in ${environmentWords(environment)}`;
  if (isNarrowed) return `No matching entries${place}`;
  if (environment === undefined) return "No entries in this time range";
  const isNamed = times.from === undefined && times.to === undefined;
  return `Nothing${place} in ${isNamed ? `the ${rangeWords(times).toLowerCase()}` : "this time range"}`;
}

/** The search with a part replaced as the hint suggests; the server may write the part differently. */
export function withHint(
  { query, environment }: Pick<LogSearch, "query" | "environment">,
  { part, instead }: SearchHint,
) {
  const found = instead ?? "";
  const at = query?.toLowerCase().indexOf(part) ?? -1;
  if (query !== undefined && at >= 0) return { query: query.slice(0, at) + found + query.slice(at + part.length) };
  // The environment is selected outside of the search text.
  if (environment !== undefined && part.startsWith("environment:"))
    return { environment: undefined, query: [query, found].filter(Boolean).join(" ") };
  return { query: found };
}
