import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Event, LogEntry } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { local, utc } from "../../../ui/format.ts";
import { Level } from "../../../ui/Level.tsx";
import { Answer } from "../../../ui/States.tsx";
import { Line } from "../../../ui/Text.tsx";
import { Message } from "../../logs/Message.tsx";
import { eventWord } from "../axis/event-word.ts";
import { offOf } from "../axis/clocks.ts";
import { useAxis } from "../axis/context.ts";
import { currentOf, logId } from "../axis/moments.ts";
import { distance } from "../details/crumbs.ts";
import { Section } from "../details/Section.tsx";
import { traceAddress } from "./address.ts";
import { MoreEntries } from "./MoreEntries.tsx";
import { traceLogsQuery } from "./queries.ts";
import { grown, parted } from "./timeline.ts";
import classes from "./TraceLogs.module.css";

/** The log entries of the event's trace, on one timeline with the event. */
export function TraceLogs({ event }: { event: Event }) {
  if (event.trace_id === null || event.trace_id === "") return <NoTrace />;
  return <Timeline event={event} />;
}

function NoTrace() {
  return (
    <Section id="logs" title="Logs of this trace" name="Logs">
      <p className="muted">
        This event has no trace ID. Send the same <code>trace_id</code> with the errors and the log entries of a request
        to see its logs here.
      </p>
    </Section>
  );
}

function Timeline({ event }: { event: Event }) {
  const { at, sides, setSides, clocks } = useAxis();
  const query = useQuery(traceLogsQuery(event, sides));
  const time = Date.parse(event.timestamp);
  const address = (entry?: number) => traceAddress(event, entry) ?? paths.logs(event.project_id);
  return (
    <Section
      id="logs"
      title="Logs of this trace"
      name="Logs"
      count={query.data?.total}
      note="5 minutes before and after"
      tools={<Link to={address()}>Open in the log explorer</Link>}
    >
      <Answer query={query} what="The logs" rows={3}>
        {({ logs, total, offset }) => {
          const { before, after } = parted(logs, event.timestamp);
          const later = total - offset - logs.length;
          const timeOf = (entry: LogEntry) => Date.parse(entry.timestamp) + offOf(entry, clocks);
          const timed = logs.map((entry) => ({ id: entry.id, at: timeOf(entry) - time }));
          timed.sort((one, other) => one.at - other.at);
          const current = at === undefined ? undefined : currentOf(timed, at)?.id;
          if (total === 0)
            return <p className="muted">No log entries have this event’s trace ID within five minutes of it.</p>;
          return (
            <ol className={classes.lines} aria-busy={query.isPlaceholderData || undefined}>
              <MoreEntries
                count={offset}
                words="earlier"
                more={() => setSides({ ...sides, before: grown(sides.before) })}
                isAll={sides.before >= grown(sides.before)}
              />
              {before.map((entry) => (
                <Row
                  key={entry.id}
                  entry={entry}
                  event={event}
                  to={address(entry.id)}
                  isCurrent={entry.id === current}
                />
              ))}
              <Own event={event} />
              {after.map((entry) => (
                <Row
                  key={entry.id}
                  entry={entry}
                  event={event}
                  to={address(entry.id)}
                  isCurrent={entry.id === current}
                />
              ))}
              <MoreEntries
                count={later}
                words="later"
                more={() => setSides({ ...sides, after: grown(sides.after) })}
                isAll={sides.after >= grown(sides.after)}
              />
            </ol>
          );
        }}
      </Answer>
    </Section>
  );
}

interface RowProps {
  entry: LogEntry;
  event: Event;
  to: string;
  isCurrent: boolean;
}

function Row({ entry, event, to, isCurrent }: RowProps) {
  const { point, watch, clocks } = useAxis();
  const time = Date.parse(entry.timestamp);
  const at = time + offOf(entry, clocks) - Date.parse(event.timestamp);
  const [moment, exact] = [watch(at), `${local(time)} here\n${utc(time)}`];
  return (
    <li
      id={logId(entry.id)}
      tabIndex={-1}
      className={classes.line}
      data-current={isCurrent || undefined}
      // Not for a pointer that rests while the page is scrolled.
      onPointerMove={() => point(at)}
    >
      <span className={classes.level}>
        <Level level={entry.level} />
      </span>
      {moment ? (
        <Link to={moment} className={`${classes.time} ${classes.moment}`} title={`Watch this moment\n${exact}`}>
          {distance(entry.timestamp, event.timestamp)}
        </Link>
      ) : (
        <span className={classes.time} title={exact}>
          {distance(entry.timestamp, event.timestamp)}
        </span>
      )}
      <Link to={to} className={classes.message}>
        <Message message={entry.message} highlights={entry.highlights} />
      </Link>
      <span className={classes.logger}>{entry.logger_name && <Line text={entry.logger_name} />}</span>
    </li>
  );
}

/** The event itself, between its logs. */
function Own({ event: { exception, message, timestamp, level } }: { event: Event }) {
  const time = Date.parse(timestamp);
  const said = [exception?.type, exception?.message ?? message].filter(Boolean).join(": ");
  return (
    <li className={classes.line} data-own={eventWord(level)} aria-current="true">
      <span className={classes.level}>
        <Level level={level} quiet /> this {eventWord(level)}
      </span>
      <span className={classes.time} title={`${local(time)} here\n${utc(time)}`}>
        0 ms
      </span>
      <span className={classes.said}>
        <Line text={said === "" ? "This event" : said} />
      </span>
    </li>
  );
}
