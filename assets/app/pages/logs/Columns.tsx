import type { ReactNode } from "react";
import type { LogEntry } from "../../api/schema.d.ts";
import type { LogSearch } from "./address.ts";
import { Detail } from "./Detail.tsx";
import { Fields } from "./Fields.tsx";
import classes from "./Page.module.css";
import type { Filters } from "./range.ts";
import type { Show } from "./use-show.ts";

interface Props {
  project: number;
  search: LogSearch;
  /** The filters of the results that the fields are of; without it, there are no fields beside it. */
  filters?: Filters;
  /** Entries that are loaded, so that their details need no request. */
  entries: readonly LogEntry[];
  show: Show;
  children: ReactNode;
}

/** The results, between the fields and the details of an entry when those are open. */
export function Columns({ project, search, filters, entries, show, children }: Props) {
  const { entry } = search;
  const fields = filters && search.fields;
  return (
    <div
      className={classes.columns}
      data-entry-open={entry !== undefined || undefined}
      data-fields-open={fields !== undefined || undefined}
    >
      {filters && fields !== undefined && <Fields project={project} search={search} filters={filters} show={show} />}
      <div className={classes.main}>{children}</div>
      {entry !== undefined && (
        <Detail
          project={project}
          id={entry}
          listed={entries.find(({ id }) => id === entry)}
          search={search}
          show={show}
        />
      )}
    </div>
  );
}
