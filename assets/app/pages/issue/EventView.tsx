import { useDeferredValue } from "react";
import type { Event, Issue, ShownIssue, WalkedEvent } from "../../api/schema.d.ts";
import { Prose } from "../../ui/Text.tsx";
import type { DoChange } from "./actions/use-change.ts";
import classes from "./Content.module.css";
import { Details } from "./details/Details.tsx";
import { Section } from "./details/Section.tsx";
import { LongText } from "./header/LongText.tsx";
import type { Place } from "./queries.ts";
import { SectionContext } from "./sections/registry.ts";
import { Sections } from "./sections/Sections.tsx";
import { StuckLine } from "./sections/StuckLine.tsx";
import { Side } from "./side/Side.tsx";
import { Stack, type View } from "./stack/Stack.tsx";

interface Props {
  issue: ShownIssue;
  walked: WalkedEvent;
  place: Place;
  change: DoChange;
  /** This is still the previous event; the next one is being loaded. */
  isWalking: boolean;
  view: View;
  setView: (view: View) => void;
  /** Whether to show only the event, without the issue's numbers and the links to other events. */
  alone?: boolean;
}

/**
 * One event: its stack first, the issue's numbers beside it, and everything else below, each with a link at the top.
 */
export function EventView({ issue, walked, place, change, isWalking, view, setView, alone = false }: Props) {
  const { event } = walked;
  // The stack is rendered first, which takes half of the time. React defers nothing to `undefined`.
  const below = useDeferredValue<Event | null>(event, null);
  return (
    <Sections stuck={!alone && <StuckLine issue={issue} change={change} place={place} walked={walked} />}>
      <div className={alone ? classes.alone : classes.columns}>
        <div className={classes.stack} aria-busy={isWalking}>
          <OwnMessage event={event} issue={issue} />
          <Stack event={event} view={view} setView={setView} />
        </div>
        {!alone && (
          <div className={classes.side}>
            <SectionContext value={undefined}>{below && <Side issue={issue} place={place} />}</SectionContext>
          </div>
        )}
        <div className={classes.details} aria-busy={isWalking}>
          {below && <Details event={below} />}
        </div>
      </div>
    </Sections>
  );
}

/** The events of an issue may differ in their messages: shown when it is not the issue's. */
function OwnMessage({ event, issue }: { event: Event; issue: Issue }) {
  const own = event.exception?.message ?? event.message;
  if (!own || own === issue.message) return null;
  return (
    <Section id="message" title="Message of this event" name="Message" flush>
      {own.length > 300 ? <LongText text={own} lines={4} key={event.id} /> : <Prose text={own} />}
    </Section>
  );
}
