import { ActionIcon } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from "lucide-react";
import type { WalkedEvent } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import type { Place } from "../queries.ts";
import { userName } from "../user-name.ts";
import classes from "./Walk.module.css";

/** The current event, and links to the others. */
export function Walk({ place, walked }: { place: Place; walked: WalkedEvent }) {
  const { event } = walked;
  const who = userName(event.user);
  return (
    <div className={classes.walk} role="group" aria-label="Event shown">
      <span className={classes.event}>
        <Time at={event.timestamp} exact />
        {who && (
          <span className={classes.who}>
            <Line text={who} />
          </span>
        )}
        <CopyButton text={event.event_id} label="Copy the event’s ID" />
      </span>
      <nav className={classes.steps} aria-label="Events of this issue">
        <Steps place={place} walked={walked} />
      </nav>
    </div>
  );
}

interface StepsProps {
  place: Place;
  walked: WalkedEvent;
  only?: "nearest";
}

/** The steps to other events; `nearest` leaves out the first and the last one. */
export function Steps({ place, walked: { event, walk }, only }: StepsProps) {
  const here = event.event_id;
  const near: [words: string, icon: typeof ChevronLeft, to: string | null][] = [
    ["Older event  [", ChevronLeft, walk.older],
    ["Newer event  ]", ChevronRight, walk.newer],
  ];
  const steps: typeof near =
    only === "nearest"
      ? near
      : [
          ["Oldest event", ChevronFirst, walk.first === here ? null : walk.first],
          ...near,
          ["Newest event", ChevronLast, walk.last === here ? null : walk.last],
        ];
  return steps.map(([words, Icon, to]) => (
    <Step key={words} words={words} Icon={Icon} place={place} here={here} to={to} />
  ));
}

interface StepProps {
  words: string;
  Icon: typeof ChevronLeft;
  place: Place;
  here: string;
  /** `null` at the end. */
  to: string | null;
}

/** At the end it is a link without a target, so that whoever got there keeps the focus. */
function Step({ words, Icon, place, here, to }: StepProps) {
  const path = paths.issue(place.project, place.issue);
  const isEnd = to === null;
  return (
    <ActionIcon
      data-tip={isEnd ? undefined : words}
      variant="default"
      aria-label={words.split("  ")[0]}
      data-disabled={isEnd}
      aria-disabled={isEnd}
      onClick={(event) => isEnd && event.preventDefault()}
      renderRoot={(props) => (
        <Link
          to={path}
          search={(before) => ({ ...before, event: to ?? here })}
          state
          replace
          resetScroll={false}
          {...props}
        />
      )}
    >
      <Icon size="1em" aria-hidden />
    </ActionIcon>
  );
}
