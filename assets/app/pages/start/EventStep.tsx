import { Button } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { useCallback, useEffect, useId, useRef } from "react";
import type { Issue } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { Failed } from "../../ui/States.tsx";
import { Line } from "../../ui/Text.tsx";
import { type Arrival, isLater } from "./arrival.ts";
import { mayTurn, useTurn } from "./leave.ts";
import { Step } from "./Step.tsx";
import { TestButton } from "./TestButton.tsx";
import classes from "./Start.module.css";

interface Props {
  project: number;
  arrival: Arrival;
  apiKey: string | undefined;
  mayCreate: boolean;
}

const titles = {
  waiting: "Wait for the first event",
  had: "Wait for an event",
  arrived: "View the event",
  failed: "Wait for the first event",
  asking: "",
};

/** Waits for an event, and opens it. */
export function EventStep({ project, arrival, apiKey, mayCreate }: Props) {
  return (
    <Step id="event" number={3} title={titles[arrival.state]} stuck>
      {arrival.state === "failed" && (
        <Failed error={arrival.error} retry={arrival.retry} busy={arrival.retrying} what="The project's events" />
      )}
      {(arrival.state === "waiting" || isLater(arrival)) && (
        <div className={classes.waiting}>
          <p role="status" className={classes.pulse}>
            <span className={classes.dot} aria-hidden />
            {arrival.state === "waiting"
              ? "Waiting for the first event. It will open by itself."
              : "Listening for new events."}
          </p>
          <TestButton project={project} apiKey={apiKey} mayCreate={mayCreate} />
        </div>
      )}
      {arrival.state === "arrived" && <Arrived project={project} issue={arrival.issue} first={arrival.first} />}
    </Step>
  );
}

function Arrived({ project, issue, first }: { project: number; issue: Issue; first: boolean }) {
  const navigate = useNavigate();
  const open = useRef<HTMLAnchorElement>(null);
  const what = useId();
  const turn = useCallback(
    () => void navigate({ href: paths.issue(project, issue.id) }),
    [navigate, project, issue.id],
  );
  const { left, stay } = useTurn(first, turn);
  useEffect(() => {
    if (!first) return;
    // Focuses the new button, unless somebody is typing or reading.
    const situation = {
      focused: document.activeElement,
      visible: true,
      selecting: getSelection()?.isCollapsed === false,
    };
    const reading = document.activeElement?.closest("pre") ?? null;
    if (mayTurn(situation) && reading === null) open.current?.focus();
  }, [first]);
  return (
    <div className={classes.arrived}>
      <CircleCheck aria-hidden className={classes.good} />
      <div className={classes.what} id={what}>
        <p role="status">
          <strong>{first ? "Your first event has arrived" : "An event has arrived"}</strong>
        </p>
        <Line text={issue.title} />
        <span className={classes.about}>
          <Line text={issue.culprit} mono />
        </span>
      </div>
      <div className={classes.go}>
        <Button component={Link} to={paths.issue(project, issue.id)} ref={open} aria-describedby={what} size="sm">
          View event
        </Button>
        {left !== undefined && (
          <>
            <Button variant="default" size="sm" onClick={stay}>
              Stay
            </Button>
            <span className={`${classes.about} number`}>opens in {left} s</span>
          </>
        )}
      </div>
    </div>
  );
}
