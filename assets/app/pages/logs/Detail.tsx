import { ActionIcon, Button, Drawer, Tooltip } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link2, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { LogEntry } from "../../api/schema.d.ts";
import { isStatus } from "../../api/error.ts";
import { paths } from "../../paths.ts";
import { copy } from "../../ui/clipboard.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { exact, exactMoment, utc } from "../../ui/format.ts";
import { Level } from "../../ui/Level.tsx";
import { done } from "../../ui/notify.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import { Prose } from "../../ui/Text.tsx";
import { attributeFacts, ownFacts } from "./attributes.ts";
import classes from "./Detail.module.css";
import { Facts } from "./Facts.tsx";
import { contextQuery } from "./queries.ts";
import { type Way, withTerm } from "./terms.ts";
import { TraceErrors } from "./TraceErrors.tsx";
import type { Show } from "./use-show.ts";
import type { LogSearch } from "./address.ts";

interface Props {
  project: number;
  id: number;
  /** The entry as the list has it: shown until the server responds. */
  listed: LogEntry | undefined;
  search: LogSearch;
  show: Show;
}

/** The details of an entry, beside the list; above it on narrow pages. */
export function Detail(props: Props) {
  const isNarrow = useIsNarrow();
  const close = () => closeEntry(props.id, props.show);
  if (isNarrow) {
    return (
      <Drawer opened onClose={close} position="right" size="34rem" title="Log entry" transitionProps={{ duration: 0 }}>
        <Content {...props} />
      </Drawer>
    );
  }
  return <Beside {...props} close={close} />;
}

/** Whether the details lie above the list. */
const useIsNarrow = () => useMediaQuery("(max-width: 75em)", undefined, { getInitialValueInEffect: false });

/** Closes the details and puts the focus back on the entry's row. */
export function closeEntry(id: number, show: Show): void {
  show({ entry: undefined });
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-entry="${id}"] button`)?.focus({ preventScroll: true }),
  );
}

function Beside({ close, ...props }: Props & { close: () => void }) {
  const title = useRef<HTMLHeadingElement>(null);
  // Opened by a person: screen readers and the Tab key continue here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each entry that is opened
  useEffect(() => {
    if (document.activeElement?.closest("[data-entry]")) title.current?.focus({ preventScroll: true });
  }, [props.id]);
  return (
    <aside className={classes.beside} aria-labelledby="log-entry">
      <div className={classes.head}>
        <h2 id="log-entry" ref={title} tabIndex={-1}>
          Log entry
        </h2>
        <ActionIcon aria-label="Close entry" onClick={close}>
          <X size="1rem" aria-hidden />
        </ActionIcon>
      </div>
      <Content {...props} />
    </aside>
  );
}

/** What an entry of the list needs to be shown like one that was asked for. */
const there = { error: null, isPending: false, isFetching: false, refetch: () => undefined };

function Content({ project, id, listed, search, show }: Props) {
  const query = useQuery({ ...contextQuery(project, { id, before: 0, after: 0 }), enabled: listed === undefined });
  const known = listed ? { ...there, data: { entry: listed } } : query;
  if (isStatus(query.error, 404)) {
    return (
      <Empty title="Entry not found">
        <p>It may have been deleted because of its age, or its address is wrong.</p>
      </Empty>
    );
  }
  return (
    <Answer query={known} what="The entry" rows={6}>
      {({ entry }) => <Entry project={project} entry={entry} search={search} show={show} />}
    </Answer>
  );
}

function Entry({ project, entry, search, show }: Pick<Props, "project" | "search" | "show"> & { entry: LogEntry }) {
  const filter = (part: string, way: Way) =>
    show({ query: withTerm(search.query, part, way), view: search.view === "tail" ? "tail" : undefined });
  const time = Date.parse(entry.timestamp);
  const attributes = attributeFacts(entry.attributes);
  return (
    <div className={classes.entry}>
      <p className={classes.when}>
        <Level level={entry.level} />
        <time dateTime={entry.timestamp} className="number" title={utc(time)}>
          {exactMoment(time)}
        </time>
      </p>
      <Message key={entry.id} text={entry.message} />
      <Tools project={project} entry={entry} search={search} show={show} />
      <Facts
        title="Fields"
        facts={[
          ...ownFacts(entry),
          { name: "template", field: "template", value: entry.template_id, shown: entry.template, kind: "string" },
        ]}
        filter={filter}
      />
      {attributes.length > 0 && <Facts title="Attributes" facts={attributes} filter={filter} />}
      {entry.trace_id !== null && <TraceErrors project={project} trace={entry.trace_id} />}
    </div>
  );
}

/** Characters of a message that are shown at first; few are longer. */
const messageMost = 4_000;

function Message({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = text.length > messageMost;
  return (
    <div className={classes.message}>
      <p>
        <Prose text={isCut && !isWhole ? `${text.slice(0, messageMost)}…` : text} />
      </p>
      {isCut && (
        <button type="button" className={classes.more} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : `Show all ${exact(text.length)} characters`}
        </button>
      )}
    </div>
  );
}

function Tools({ project, entry, search, show }: Pick<Props, "project" | "search" | "show"> & { entry: LogEntry }) {
  const isNarrow = useIsNarrow();
  const isAbout = search.context === entry.id;
  // Details that lie above the list make room for it.
  const toggle = () => show({ context: isAbout ? undefined : entry.id, ...(isNarrow && { entry: undefined }) });
  const json = () => {
    const { highlights: _, ...rest } = entry;
    return JSON.stringify(rest, null, 2);
  };
  const copyLink = async () => {
    const link = `${location.origin}${paths.logs(project, { entry: entry.id })}`;
    if (await copy(link)) done("Link copied");
  };
  return (
    <div className={classes.tools}>
      <Button variant="default" aria-pressed={isAbout} onClick={toggle}>
        {isAbout ? "Hide context" : "Show in context"}
      </Button>
      <CopyButton text={json} label="Copy as JSON" />
      <Tooltip label="Copy link to this entry">
        <ActionIcon aria-label="Copy link to this entry" onClick={() => void copyLink()}>
          <Link2 size="1em" aria-hidden />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
