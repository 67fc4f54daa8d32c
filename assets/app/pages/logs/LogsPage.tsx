import { Button, SegmentedControl, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { Download, ListFilter, Radio } from "lucide-react";
import { type RefObject, useCallback, useRef } from "react";
import { isStatus, messageOf } from "../../api/error.ts";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { useKeys } from "../../shell/keys.ts";
import { counted } from "../../ui/format.ts";
import { Sentence } from "../../ui/Text.tsx";
import type { LogSearch } from "./address.ts";
import { levelCounts } from "./bars.ts";
import bar from "./Bar.module.css";
import { Columns } from "./Columns.tsx";
import { Context } from "./Context.tsx";
import { closeEntry } from "./Detail.tsx";
import { Entries, useEntries } from "./Entries.tsx";
import { Environments } from "./Environments.tsx";
import { Histogram } from "./Histogram.tsx";
import { Levels } from "./Levels.tsx";
import { histogramQuery } from "./queries.ts";
import { RangePicker } from "./RangePicker.tsx";
import { type Filters, custom, widened } from "./range.ts";
import { Search } from "./Search.tsx";
import { Tail } from "./Tail.tsx";
import { Templates } from "./Templates.tsx";
import { useAsked } from "./use-asked.ts";
import { useKeptFocus } from "./use-kept-focus.ts";
import { type Show, useShow } from "./use-show.ts";

export default function LogsPage() {
  const { projectId } = useParams({ from: "/inside/projects/$projectId/logs" });
  return <Explorer key={projectId} project={projectId} />;
}

/** The most entries in an export. */
const exportMost = 1_000_000;

function Explorer({ project }: { project: number }) {
  const search = useSearch({ from: "/inside/projects/$projectId/logs" });
  const { bounds, filters, now, refresh } = useAsked(search);
  const input = useRef<HTMLInputElement>(null);
  const found = useEntries(project, filters);
  const isTail = search.view === "tail";
  const isListed = search.context === undefined && !isTail && found.query.isSuccess && !found.query.isPlaceholderData;
  const show = useKeptFocus(useShow(project, search), search, isListed);
  const choose = useCallback((id: number) => show({ entry: id }), [show]);
  const wrong = isStatus(found.query.error, 422) ? <Sentence text={messageOf(found.query.error)} /> : undefined;
  const toggles = useLogsKeys(search, show, input, refresh);
  const isCustom = search.from !== undefined || search.to !== undefined;
  const { data: histogram } = useQuery({ ...histogramQuery(project, filters), enabled: !isTail });
  const counts = isTail || !histogram ? undefined : levelCounts(histogram.buckets);
  const isKnown = found.total !== undefined && wrong === undefined && !isTail;
  return (
    <Page
      section="logs"
      wide
      actions={<Actions project={project} filters={filters} isTail={isTail} toggleTail={toggles.tail} />}
    >
      <div className={bar.bar}>
        <Search
          value={search.query ?? ""}
          input={input}
          error={wrong}
          search={(query) => (query === search.query ? refresh() : show({ query }))}
        />
        <Environments project={project} value={search.environment} set={(environment) => show({ environment })} />
        {!isTail && <RangePicker search={search} bounds={bounds} show={show} />}
      </div>
      {/* These are about the results, whose place a context takes. */}
      {search.context === undefined && (
        <div className={bar.tools}>
          <Views search={search} show={show} toggleFields={toggles.fields} />
          <Levels value={search.levels} set={(levels) => show({ levels })} counts={counts} />
          <span className={`${bar.total} number`} role="status">
            {isKnown ? counted(found.total ?? 0, "entry", "entries") : ""}
          </span>
        </div>
      )}
      {search.context !== undefined ? (
        <Context key={search.context} project={project} id={search.context} search={search} show={show} />
      ) : isTail ? (
        <Tail project={project} search={search} filters={filters} show={show} choose={choose} />
      ) : (
        <>
          <Histogram
            project={project}
            filters={filters}
            zoom={(times) => show(custom(times))}
            zoomOut={isCustom ? () => show(custom(widened(bounds, now))) : undefined}
          />
          <Columns project={project} search={search} filters={filters} entries={found.entries} show={show}>
            {search.view === "templates" ? (
              <Templates
                project={project}
                search={search}
                filters={filters}
                total={found.total}
                show={show}
                refresh={refresh}
              />
            ) : (
              <Entries project={project} search={search} found={found} show={show} refresh={refresh} choose={choose} />
            )}
          </Columns>
        </>
      )}
    </Page>
  );
}

/** The page's shortcuts; two of them also have buttons. */
function useLogsKeys(search: LogSearch, show: Show, input: RefObject<HTMLInputElement | null>, refresh: () => void) {
  const tail = () => show({ view: search.view === "tail" ? undefined : "tail", entry: undefined, context: undefined });
  const fields = () => {
    if (search.context === undefined) show({ fields: search.fields === undefined ? "all" : undefined });
  };
  useKeys("Logs", [
    { keys: "/", does: "Search", run: () => input.current?.focus() },
    { keys: "f", does: "Show fields and their values", run: fields },
    { keys: "t", does: "Live tail", run: tail },
    { keys: "r", does: "Refresh", run: refresh },
    {
      keys: "Escape",
      does: "Close the entry, then its context",
      run: () => {
        if (search.entry !== undefined) closeEntry(search.entry, show);
        else if (search.context !== undefined) show({ context: undefined });
      },
    },
  ]);
  return { tail, fields };
}

/** Actions on all results. */
function Actions({
  project,
  filters,
  isTail,
  toggleTail,
}: {
  project: number;
  filters: Filters;
  isTail: boolean;
  toggleTail: () => void;
}) {
  return (
    <>
      <Button
        variant={isTail ? "filled" : "default"}
        aria-pressed={isTail}
        leftSection={<Radio size="0.875rem" aria-hidden />}
        onClick={toggleTail}
      >
        Live tail
      </Button>
      <Tooltip
        label={`Everything the search finds, one JSON object per line; at most the newest ${counted(exportMost, "entry", "entries")}`}
        multiline
        maw="18rem"
      >
        <Button
          component="a"
          href={paths.exportLogs(project, { ...filters, limit: exportMost })}
          download
          variant="default"
          leftSection={<Download size="0.875rem" aria-hidden />}
        >
          Export
        </Button>
      </Tooltip>
    </>
  );
}

function Views({ search, show, toggleFields }: { search: LogSearch; show: Show; toggleFields: () => void }) {
  const isOpen = search.fields !== undefined;
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Show"
        data={views}
        value={search.view ?? "entries"}
        onChange={(view) => show({ view: view === "templates" ? view : undefined })}
      />
      <Button
        variant={isOpen ? "light" : "default"}
        aria-expanded={isOpen}
        leftSection={<ListFilter size="0.875rem" aria-hidden />}
        onClick={toggleFields}
      >
        Fields
      </Button>
    </>
  );
}

const views = [
  { value: "entries", label: "Entries" },
  { value: "templates", label: "Templates" },
];
