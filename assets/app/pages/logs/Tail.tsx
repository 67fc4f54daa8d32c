import { Button } from "@mantine/core";
import { ArrowUp, Pause, Play } from "lucide-react";
import { useState } from "react";
import { paths } from "../../paths.ts";
import { counted, exact } from "../../ui/format.ts";
import { Empty } from "../../ui/States.tsx";
import type { LogSearch } from "./address.ts";
import { Columns } from "./Columns.tsx";
import { LogList } from "./LogList.tsx";
import { Missing, Older } from "./Missing.tsx";
import { type Filters, filtersOf } from "./range.ts";
import { type Tail as Held, kept } from "./tail.ts";
import classes from "./Tail.module.css";
import type { Show } from "./use-show.ts";
import { useHeld, useTail } from "./use-tail.ts";
import type { Connection } from "./use-tail-stream.ts";

interface Props {
  project: number;
  search: LogSearch;
  /** The filters for the fields beside it; the tail itself has no time range. */
  filters: Filters;
  show: Show;
  choose: (id: number) => void;
}

const nothingMore = () => undefined;

/** Entries as they arrive, the newest on top; they do not move while somebody reads them. */
export function Tail({ project, search, filters, show, choose }: Props) {
  const [isPaused, setPaused] = useState(false);
  const reading = useHeld();
  const asked = filtersOf(search);
  const address = paths.tailLogs(project, {
    search: asked.search,
    levels: asked.levels,
    environment: asked.environment,
  });
  const { tail, connection, letIn, hole, failure } = useTail(
    { project, filters: asked, address },
    isPaused || reading.isHeld || search.entry !== undefined,
  );
  const showNew = () => {
    window.scrollTo(0, 0);
    letIn();
  };
  return (
    <Columns project={project} search={search} filters={filters} entries={tail.shown} show={show}>
      <div className={classes.bar}>
        <Button
          variant="default"
          leftSection={isPaused ? <Play size="0.875rem" aria-hidden /> : <Pause size="0.875rem" aria-hidden />}
          onClick={() => setPaused(!isPaused)}
        >
          {isPaused ? "Resume" : "Pause"}
        </Button>
        <State connection={connection} tail={tail} isPaused={isPaused} />
        {tail.late > 0 && (
          <Button
            className={classes.late ?? ""}
            leftSection={<ArrowUp size="0.875rem" aria-hidden />}
            onClick={({ currentTarget }) => {
              // The pressed button disappears.
              currentTarget.parentElement?.querySelector("button")?.focus({ preventScroll: true });
              showNew();
            }}
          >
            <span className="number">{exact(tail.late)} new</span>
          </Button>
        )}
      </div>
      <Missing hole={hole} failure={failure} show={show} />
      {tail.shown.length >= kept && <Older show={show} />}
      {tail.shown.length === 0 ? (
        <Empty title="Waiting for entries">
          <p>New entries that match the search and the levels appear here at once.</p>
        </Empty>
      ) : (
        <div
          onPointerEnter={reading.enter}
          onPointerLeave={reading.leave}
          onFocus={reading.focus}
          onBlur={reading.blur}
        >
          <LogList
            entries={tail.shown}
            total={tail.shown.length}
            chosen={search.entry}
            choose={choose}
            more={nothingMore}
          />
        </div>
      )}
    </Columns>
  );
}

const words: Record<Connection, string> = {
  connecting: "Connecting…",
  open: "Live",
  lost: "Connection lost, reconnecting…",
  hidden: "Paused while this tab was hidden",
};

function State({
  connection,
  tail: { total, skipped },
  isPaused,
}: {
  connection: Connection;
  tail: Held;
  isPaused: boolean;
}) {
  return (
    <>
      <span className={classes.state} data-live={(connection === "open" && !isPaused) || undefined} role="status">
        {connection === "open" && isPaused ? "Paused" : words[connection]}
      </span>
      <span className={`${classes.count} number`}>
        {counted(total, "entry", "entries")} since opened
        {skipped > 0 && `, ${exact(skipped)} skipped: too many at once`}
      </span>
    </>
  );
}
