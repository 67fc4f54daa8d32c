import { Button, SegmentedControl } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { LogEntry } from "../../api/schema.d.ts";
import { Answer } from "../../ui/States.tsx";
import classes from "./Detail.module.css";
import { LogLines } from "./LogLines.tsx";
import { contextQuery } from "./queries.ts";
import { term } from "./terms.ts";
import type { Show } from "./use-show.ts";

/** Entries on each side at first, and the most that the server allows. */
const first = 20;
const most = 500;

/** The entries before and after an entry, in chronological order. */
export function Context({ project, entry, show }: { project: number; entry: LogEntry; show: Show }) {
  const [sides, setSides] = useState({ before: first, after: first });
  const narrowings = { everything: undefined, logger: entry.logger_name, trace: entry.trace_id };
  const [by, setBy] = useState<keyof typeof narrowings>("everything");
  const value = narrowings[by];
  const around = { id: entry.id, ...sides, ...(value ? { search: term(by, value) } : {}) };
  const query = useQuery({ ...contextQuery(project, around), placeholderData: keepPreviousData });
  const more = (side: "before" | "after") => setSides({ ...sides, [side]: Math.min(most, sides[side] * 2 + first) });
  const offered = [
    { value: "everything", label: "Everything" },
    ...(entry.logger_name ? [{ value: "logger", label: "Same logger" }] : []),
    ...(entry.trace_id ? [{ value: "trace", label: "Same trace" }] : []),
  ];
  return (
    <section className={classes.part} aria-label="Before and after">
      <h3>Before and after</h3>
      {offered.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label="Which entries"
          data={offered}
          value={by}
          onChange={(wanted) => setBy(wanted as keyof typeof narrowings)}
        />
      )}
      <Answer query={query} what="The context" rows={6}>
        {({ before, entry: own, after }) => (
          <>
            <Side count={before.length} asked={sides.before} words="earlier" more={() => more("before")} />
            <LogLines entries={[...before, own, ...after]} current={own.id} choose={(id) => show({ entry: id })} />
            <Side count={after.length} asked={sides.after} words="later" more={() => more("after")} />
          </>
        )}
      </Answer>
    </section>
  );
}

function Side({ count, asked, words, more }: { count: number; asked: number; words: string; more: () => void }) {
  if (count < asked)
    return <p className="muted">{words === "earlier" ? "No earlier entries." : "No later entries."}</p>;
  if (asked >= most) return null;
  return (
    <Button variant="subtle" size="compact-xs" onClick={more}>
      Show {words} entries
    </Button>
  );
}
