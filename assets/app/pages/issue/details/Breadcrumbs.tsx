import { Button, TextInput } from "@mantine/core";
import { Search, TriangleAlert } from "lucide-react";
import { Link } from "@tanstack/react-router";
import { memo, useState } from "react";
import type { Crumb, Event } from "../../../api/schema.d.ts";
import { JsonTree } from "../../../ui/JsonTree.tsx";
import { Line, Prose } from "../../../ui/Text.tsx";
import { Level } from "../../../ui/Level.tsx";
import { local, utc } from "../../../ui/format.ts";
import { eventWord } from "../axis/event-word.ts";
import { useAxis } from "../axis/context.ts";
import { crumbId, currentOf } from "../axis/moments.ts";
import classes from "./Breadcrumbs.module.css";
import { crumbIcons } from "./crumb-icons.ts";
import { crumbWords, hasMore } from "./crumb-words.ts";
import { crumbData, crumbFits, distance, placeAmong } from "./crumbs.ts";
import { Section } from "./Section.tsx";

/** More breadcrumbs than these can be searched. */
const searchFrom = 20;
/** Up to this many are all shown; of more, the newest. */
const few = 15;
const newest = 10;

/** What happened around the error, newest last, on one timeline. */
export function Breadcrumbs({ event }: { event: Event }) {
  const [sought, setSought] = useState("");
  const [isWhole, setWhole] = useState(false);
  const { at, point, watch } = useAxis();
  const all = event.breadcrumbs;
  if (all.length === 0) return null;
  const timeOf = ({ timestamp }: Crumb) => Date.parse(timestamp ?? "") - Date.parse(event.timestamp);
  const found = all.filter((crumb) => crumbFits(crumb, sought, event.url));
  const shown = isWhole || sought !== "" || found.length <= few ? found : found.slice(-newest);
  const timed = shown.map((crumb) => ({ crumb, at: timeOf(crumb) })).filter((each) => !Number.isNaN(each.at));
  const current = at === undefined ? undefined : currentOf(timed, at)?.crumb;
  const earlier = found.length - shown.length;
  const tools = all.length > searchFrom && (
    <TextInput
      size="xs"
      value={sought}
      onChange={(change) => setSought(change.currentTarget.value)}
      placeholder="Search"
      aria-label="Search the breadcrumbs"
      leftSection={<Search size="1em" aria-hidden />}
    />
  );
  const entries = shown.map((crumb) => (
    <Entry
      key={all.indexOf(crumb)}
      id={crumbId(all.indexOf(crumb))}
      crumb={crumb}
      event={event}
      at={timeOf(crumb)}
      isCurrent={crumb === current}
      point={point}
      to={watch(timeOf(crumb))}
    />
  ));
  entries.splice(placeAmong(shown.map(timeOf)), 0, <Own key="own" event={event} />);
  return (
    <Section id="breadcrumbs" title="Breadcrumbs" count={all.length} tools={tools}>
      <ol className={classes.line}>
        {earlier > 0 && (
          <li className={classes.earlier}>
            <Button variant="subtle" size="compact-xs" onClick={() => setWhole(true)}>
              Show {earlier} earlier
            </Button>
          </li>
        )}
        {found.length === 0 && <li className={classes.earlier}>No breadcrumb matches.</li>}
        {entries}
      </ol>
    </Section>
  );
}

/** The event itself, among its breadcrumbs, with its level and full text. */
function Own({ event: { exception, message, level } }: { event: Event }) {
  const said = exception?.message ?? message;
  return (
    <li className={classes.entry} data-tone={level}>
      <span className={classes.icon}>
        <Level level={level} quiet />
      </span>
      <span className={classes.time}>0 ms</span>
      <div className={classes.words} data-own>
        <span className={classes.category}>
          <Prose text={exception?.type ?? `This ${eventWord(level)}`} />
        </span>
        <div className={classes.said}>{said && <Message text={said} />}</div>
      </div>
    </li>
  );
}

interface EntryProps {
  id: string;
  crumb: Crumb;
  event: Event;
  /** Milliseconds after the error; not a number if unknown. */
  at: number;
  isCurrent: boolean;
  point: (at: number) => void;
  /** The moment in the replay. */
  to: string | undefined;
}

const Entry = memo(function Entry({ id, crumb, event, at, isCurrent, point, to }: EntryProps) {
  const [isOpen, setOpen] = useState(false);
  const { kind, text, failed } = crumbWords(crumb, event.url);
  const data = hasMore(crumb, text, event.url) ? crumbData(crumb) : undefined;
  const Icon = crumbIcons[kind];
  const level = crumb.level?.toLowerCase() ?? "";
  const tone = /^(fatal|critical|error|warning)$/.exec(level)?.[0];
  const time = crumb.timestamp === null ? undefined : Date.parse(crumb.timestamp);
  const exact = time === undefined ? undefined : `${local(time)} here\n${utc(time)}`;
  const far = distance(crumb.timestamp, event.timestamp) ?? "";
  return (
    <li
      id={id}
      tabIndex={-1}
      className={classes.entry}
      data-tone={tone ?? (failed ? "error" : undefined)}
      data-current={isCurrent || undefined}
      // Not for a pointer that rests while the page is scrolled.
      onPointerMove={() => !Number.isNaN(at) && point(at)}
    >
      <Icon aria-hidden className={classes.icon} />
      {to ? (
        <Link to={to} className={classes.time} title={`Watch this moment\n${exact}`}>
          {far}
        </Link>
      ) : (
        <span className={classes.time} title={exact}>
          {far}
        </span>
      )}
      <div className={classes.words}>
        <p className={classes.kind}>
          <span className={classes.category}>
            <Line text={crumb.category ?? crumb.type ?? "default"} />
          </span>
          {tone && (
            <span className={classes.level}>
              <TriangleAlert aria-hidden size="1em" /> {tone}
            </span>
          )}
          {!tone && failed && (
            <span className={classes.level}>
              <TriangleAlert aria-hidden size="1em" /> failed
            </span>
          )}
          {!tone && kind === "console" && level !== "" && (
            <span className={`${classes.level} muted`}>
              <Line text={level} />
            </span>
          )}
        </p>
        <div className={classes.said}>
          {text === undefined ? <span className="muted">–</span> : <Message text={text} />}{" "}
          {data && (
            <button type="button" className={classes.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? "hide data" : "show data"}
            </button>
          )}
          {data && isOpen && <JsonTree value={data} />}
        </div>
      </div>
    </li>
  );
});

/** Characters of a message that are shown at first. */
const messageMax = 500;

function Message({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= messageMax) return <Prose text={text} />;
  return (
    <>
      <Prose text={isWhole ? text : `${text.slice(0, messageMax)}…`} />{" "}
      <button type="button" className={classes.fold} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? "show less" : "show all"}
      </button>
    </>
  );
}
