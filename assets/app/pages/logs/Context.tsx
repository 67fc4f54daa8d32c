import { Button, SegmentedControl } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { LogContext } from "../../api/schema.d.ts";
import { isStatus } from "../../api/error.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import type { LogSearch } from "./address.ts";
import { EntryBones } from "./Bones.tsx";
import { Columns } from "./Columns.tsx";
import classes from "./Context.module.css";
import { LogList } from "./LogList.tsx";
import { LogTime } from "./LogTime.tsx";
import { contextQuery } from "./queries.ts";
import { term } from "./terms.ts";
import type { Show } from "./use-show.ts";

/** Entries on each side at first, and the most that the server allows. */
const first = 20;
const most = 500;

/** Which entries around it are shown: all, or those with the same logger or trace. */
type ContextScope = "everything" | "logger" | "trace";

interface Props {
  project: number;
  /** The entry that it is about. */
  id: number;
  search: LogSearch;
  show: Show;
}

const nothingMore = () => undefined;

/** The entries before and after an entry, in place of the results and in their order: newest first. */
export function Context({ project, id, search, show }: Props) {
  const [sides, setSides] = useState({ before: first, after: first });
  const [by, setBy] = useState<ContextScope>("everything");
  const [value, setValue] = useState<string>();
  const around = { id, ...sides, ...(value ? { search: term(by, value) } : {}) };
  const query = useQuery({ ...contextQuery(project, around), placeholderData: keepPreviousData });
  const entries = useMemo(() => newestFirst(query.data), [query.data]);
  const list = useKeptInSight(id, query.data?.after.length);
  const more = (side: keyof typeof sides) => setSides({ ...sides, [side]: Math.min(most, sides[side] * 2 + first) });
  const narrow = (wanted: ContextScope, own: string | null | undefined) => {
    setBy(wanted);
    setValue(own ?? undefined);
  };
  return (
    <Columns project={project} search={search} entries={entries} show={show}>
      <section aria-labelledby="log-context">
        <Head data={query.data} by={by} narrow={narrow} leave={() => show({ context: undefined })} />
        {isStatus(query.error, 404) ? (
          <Empty title="Entry not found">
            <p>It may have been deleted because of its age, or its address is wrong.</p>
          </Empty>
        ) : (
          <Answer query={query} what="The context" bones={<EntryBones rows={16} />}>
            {({ before, after }) => (
              <>
                <Side count={after.length} asked={sides.after} words="later" more={() => more("after")} />
                <div ref={list}>
                  <LogList
                    entries={entries}
                    total={entries.length}
                    old={query.isPlaceholderData}
                    chosen={search.entry}
                    about={id}
                    choose={(entry) => show({ entry })}
                    more={nothingMore}
                  />
                </div>
                <Side count={before.length} asked={sides.before} words="earlier" more={() => more("before")} />
              </>
            )}
          </Answer>
        )}
      </section>
    </Columns>
  );
}

/** The server returns them in chronological order. */
const newestFirst = (context: LogContext | undefined) =>
  context ? [...context.before, context.entry, ...context.after].toReversed() : [];

interface HeadProps {
  data: LogContext | undefined;
  by: ContextScope;
  narrow: (by: ContextScope, value: string | null | undefined) => void;
  leave: () => void;
}

function Head({ data, by, narrow, leave }: HeadProps) {
  const entry = data?.entry;
  const offered = [
    { value: "everything", label: "Everything", of: undefined },
    ...(entry?.logger_name ? [{ value: "logger", label: "Same logger", of: entry.logger_name }] : []),
    ...(entry?.trace_id ? [{ value: "trace", label: "Same trace", of: entry.trace_id }] : []),
  ];
  return (
    <div className={classes.head}>
      <Button variant="default" leftSection={<ArrowLeft size="0.875rem" aria-hidden />} onClick={leave}>
        Back to results
      </Button>
      <h2 id="log-context">Before and after {entry && <LogTime at={entry.timestamp} />}</h2>
      {offered.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label="Which entries"
          data={offered.map(({ value, label }) => ({ value, label }))}
          value={by}
          onChange={(wanted) => narrow(wanted as ContextScope, offered.find((each) => each.value === wanted)?.of)}
        />
      )}
      <p>The search and its filters do not apply here.</p>
    </div>
  );
}

function Side({ count, asked, words, more }: { count: number; asked: number; words: string; more: () => void }) {
  if (count < asked) return <p className={classes.end}>No {words} entries.</p>;
  if (asked >= most) return <p className={classes.end}>Search by time for {words} entries.</p>;
  return (
    <Button variant="subtle" className={classes.more ?? ""} onClick={more}>
      Show {words} entries
    </Button>
  );
}

/**
 * Keeps the rows of a list where they are while others come above them. `above` is how many rows stand above the one that
 * the list is about; with another one of these, the list begins anew.
 */
function useKeptInSight(about: number, above: number | undefined): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const before = useRef({ about, above });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { about, above };
    if (was.about !== about || was.above === undefined || above === undefined || was.above === above) return;
    const row = list.current?.querySelector("[data-index]")?.getBoundingClientRect().height ?? 0;
    window.scrollBy(0, (above - was.above) * row);
  }, [about, above]);
  return list;
}
