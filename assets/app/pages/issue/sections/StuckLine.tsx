import { Button } from "@mantine/core";
import { CircleCheck, CircleDot } from "lucide-react";
import type { Issue, WalkedEvent } from "../../../api/schema.d.ts";
import { Line } from "../../../ui/Text.tsx";
import type { DoChange } from "../actions/use-change.ts";
import { Steps } from "../header/Walk.tsx";
import type { Place } from "../queries.ts";
import classes from "./StuckLine.module.css";

interface Props {
  issue: Issue;
  change: DoChange;
  place: Place;
  /** `undefined` on tabs that show no event. */
  walked: WalkedEvent | undefined;
}

/** A summary of the page, shown while its header is out of sight. */
export function StuckLine({ issue, change, place, walked }: Props) {
  const isOpen = issue.status === "unresolved";
  return (
    <div className={classes.line} role="group" aria-label={issue.short_id}>
      <span className={`${classes.id} mono`}>{issue.short_id}</span>
      <span className={classes.title}>
        <Line text={issue.title} />
      </span>
      <Button
        size="compact-sm"
        variant={isOpen ? "filled" : "default"}
        leftSection={isOpen ? <CircleCheck size="1em" aria-hidden /> : <CircleDot size="1em" aria-hidden />}
        onClick={() => change({ status: isOpen ? "resolved" : "unresolved" })}
      >
        {isOpen ? "Resolve" : "Reopen"}
      </Button>
      {walked && (
        <div className={classes.steps}>
          <Steps place={place} walked={walked} only="nearest" />
        </div>
      )}
    </div>
  );
}
