import { Link } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import type { Event } from "../../../api/schema.d.ts";
import { local, utc } from "../../../ui/format.ts";
import { Level } from "../../../ui/Level.tsx";
import { Line, Prose } from "../../../ui/Text.tsx";
import { useAxis } from "../axis/context.ts";
import { eventWord } from "../axis/event-word.ts";
import type { Moment } from "../axis/moments.ts";
import { crumbIcons } from "../details/crumb-icons.ts";
import { apart, lasting } from "../details/crumbs.ts";
import { traceAddress } from "../logs/address.ts";
import classes from "./Timeline.module.css";

/** Characters of a row; its own section has all. */
const wordsMax = 500;

interface Props {
  event: Event;
  moment: Moment;
  isCurrent: boolean;
}

/** A breadcrumb or log entry, with links to the log explorer and to its moment in the replay. */
export function MomentRow({ event, moment, isCurrent }: Props) {
  const { point, watch } = useAxis();
  const { at, id, kind, words, about, entry, tone } = moment;
  const [Icon, word] = kind ? [crumbIcons[kind], "Breadcrumb"] : [ScrollText, "Log entry"];
  const time = Date.parse(event.timestamp) + at;
  const [replayed, exact] = [watch(at), `${local(time)} here\n${utc(time)}`];
  const to = entry === undefined ? undefined : traceAddress(event, entry);
  const said = <Line text={words.slice(0, wordsMax)} />;
  return (
    <li
      id={id}
      tabIndex={-1}
      className={classes.row}
      data-tone={tone}
      data-current={isCurrent || undefined}
      onPointerEnter={() => point(at)}
    >
      {replayed ? (
        <Link to={replayed} className={classes.time} title={`Watch this moment\n${exact}`}>
          {apart(at)}
        </Link>
      ) : (
        <span className={classes.time} title={exact}>
          {apart(at)}
        </span>
      )}
      <span className={classes.about}>
        <Icon aria-label={word} className={classes.icon} />
        <Line text={about} />
      </span>
      {to ? (
        <Link to={to} className={classes.said} data-code>
          {said}
        </Link>
      ) : (
        <span className={classes.said}>{said}</span>
      )}
    </li>
  );
}

/** The event itself, between earlier and later rows. */
export function EventRow({ event: { exception, message, level, timestamp } }: { event: Event }) {
  const time = Date.parse(timestamp);
  const said = [exception?.type, exception?.message ?? message].filter(Boolean).join(": ");
  return (
    <li className={classes.row} data-own={eventWord(level)} aria-current="true">
      <span className={classes.time} title={`${local(time)} here\n${utc(time)}`}>
        0 ms
      </span>
      <span className={classes.about}>
        <Level level={level} />
      </span>
      <div className={classes.said}>
        <Prose text={said === "" ? `This ${eventWord(level)}` : said.slice(0, wordsMax)} />
      </div>
    </li>
  );
}

/** A period in which nothing was recorded. */
export const SilenceRow = ({ lasted }: { lasted: number }) => (
  <li className={classes.silence}>{lasting(lasted)} without anything</li>
);
