import { Link } from "@tanstack/react-router";
import { type LucideIcon, ScrollText } from "lucide-react";
import { memo } from "react";
import type { Event } from "../../../api/schema.d.ts";
import { local, utc } from "../../../ui/format.ts";
import { Level } from "../../../ui/Level.tsx";
import { Line, Prose } from "../../../ui/Text.tsx";
import { eventWord } from "../axis/event-word.ts";
import type { Moment } from "../axis/moments.ts";
import { crumbIcons } from "../details/crumb-icons.ts";
import { apart, lasting } from "../details/crumbs.ts";
import classes from "./Timeline.module.css";

/** Characters of a row; its own section has all. */
const wordsMax = 500;

interface Props {
  moment: Moment;
  /** The time that the moment is told from. */
  from: number;
  /** Where it is told in full. */
  to: string | undefined;
  /** Its address in a replay, where there is one. */
  watch: string | undefined;
  isCurrent: boolean;
  point: (at: number) => void;
  /** Shows the moment in the player on this page. */
  go?: ((at: number) => void) | undefined;
  /** Whether that is open. */
  isOpen?: boolean;
}

/** Something that happened, with the ways to where it is told in full and to its moment in the replay. */
export const MomentRow = memo(function MomentRow(props: Props) {
  const { moment, from, to, watch, isCurrent, point, go, isOpen = false } = props;
  const { at, off = 0, id, words, tone } = moment;
  const time = from + at - off;
  const exact = `${local(time)} here\n${utc(time)}`;
  const said = <Line text={words.slice(0, wordsMax)} />;
  return (
    <li
      id={id}
      tabIndex={-1}
      className={classes.row}
      data-tone={tone}
      data-current={isCurrent || undefined}
      aria-current={(isOpen && isCurrent) || undefined}
      // Not for a pointer that rests while the page is scrolled.
      onPointerMove={() => point(at)}
    >
      {watch && go ? (
        <Here at={at} exact={exact} go={go} isOpen={isOpen} />
      ) : watch ? (
        <Link to={watch} className={classes.time} title={`Watch this moment\n${exact}`}>
          {apart(at)}
        </Link>
      ) : (
        <span className={classes.time} title={exact}>
          {apart(at)}
        </span>
      )}
      <span className={classes.about}>
        <About moment={moment} />
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
});

interface HereProps {
  at: number;
  exact: string;
  go: (at: number) => void;
  isOpen: boolean;
}

/** The time of a row, which shows its moment in the player on this page; once that is open, so does all of the row. */
const Here = ({ at, exact, go, isOpen }: HereProps) => (
  <button
    type="button"
    className={classes.time}
    data-whole={isOpen || undefined}
    title={`Show this moment in the replay\n${exact}`}
    onClick={() => go(at)}
  >
    {apart(at)}
  </button>
);

/** What happened there: an event by its own level, anything else by what it is and its category. */
function About({ moment: { kind, level, about } }: { moment: Moment }) {
  if (level) return <Level level={level} />;
  const [Icon, word]: [LucideIcon, string] = kind ? [crumbIcons[kind], "Breadcrumb"] : [ScrollText, "Log entry"];
  return (
    <>
      <Icon aria-label={word} className={classes.icon} />
      <Line text={about} />
    </>
  );
}

interface EventProps extends Pick<Props, "isCurrent" | "go" | "isOpen"> {
  event: Event;
  id: string;
}

/** The event itself, between what came before and after it. */
export function EventRow({ event, id, isCurrent, go, isOpen = false }: EventProps) {
  const { exception, message, level, timestamp } = event;
  const time = Date.parse(timestamp);
  const exact = `${local(time)} here\n${utc(time)}`;
  const said = [exception?.type, exception?.message ?? message].filter(Boolean).join(": ");
  return (
    <li id={id} className={classes.row} data-own={eventWord(level)} aria-current={isCurrent || undefined}>
      {go ? (
        <Here at={0} exact={exact} go={go} isOpen={isOpen} />
      ) : (
        <span className={classes.time} title={exact}>
          0 ms
        </span>
      )}
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
