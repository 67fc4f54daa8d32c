import { Tabs } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleDot, CornerDownRight, Globe, MousePointerClick, SquareTerminal } from "lucide-react";
import type { ReactNode } from "react";
import type { ReplayDetails } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { Level } from "../../../ui/Level.tsx";
import { Line } from "../../../ui/Text.tsx";
import type { Step, StepKind } from "../data/crumbs.ts";
import type { ReplayLogs } from "../data/logs.ts";
import type { Summary } from "../data/summary.ts";
import { type LaneName, laneNames } from "../player/lanes.ts";
import { laneWords } from "../player/Lanes.tsx";
import type { Moment } from "../player/moments.ts";
import { Entries } from "./Entries.tsx";
import { Logs } from "./Logs.tsx";
import classes from "./Panel.module.css";
import { Person } from "./Person.tsx";

export type PanelName = LaneName | "user";

interface Props {
  project: number;
  replay: ReplayDetails;
  summary: Summary;
  steps: Step[];
  logs: UseQueryResult<ReplayLogs>;
  moments: Moment[];
  shown: PanelName;
  show: (panel: PanelName) => void;
  /** Where the player is, in milliseconds. */
  at: number;
  seek: (at: number) => void;
}

const stepIcons: Record<StepKind, [icon: typeof Globe, words: string]> = {
  click: [MousePointerClick, "Click"],
  page: [CornerDownRight, "Page"],
  request: [Globe, "Request"],
  console: [SquareTerminal, "Console"],
  error: [CircleAlert, "Error"],
  other: [CircleDot, "Breadcrumb"],
};

/** Lists of what happened during the recording, and the person's details. The lists follow the player, and move it. */
export function Panel({ project, replay, summary, steps, logs, moments, shown, show, at, seek }: Props) {
  const errors = moments.filter(({ kind }) => kind === "error");
  const place = { at, seek };
  const panels: Record<PanelName, () => ReactNode> = {
    steps: () => (
      <Entries {...place} entries={steps} none="Nothing has happened yet.">
        {(step) => <StepWords step={step} />}
      </Entries>
    ),
    logs: () => <Logs {...place} project={project} replay={replay} summary={summary} logs={logs} />,
    console: () => (
      <Entries {...place} entries={summary.console} none="Nothing was written to the console.">
        {({ level, message }) => (
          <>
            <Level level={level} />
            <Line text={message} mono />
          </>
        )}
      </Entries>
    ),
    network: () => (
      <Entries {...place} entries={summary.network} none="No requests were seen.">
        {({ method, url, status, duration }) => (
          <>
            <span className={classes.status} data-bad={status === 0 || status >= 400 || undefined}>
              {status === 0 ? "failed" : status}
            </span>
            <span className={classes.grows}>
              <Line text={`${method} ${url}`} mono />
            </span>
            <span className={classes.duration}>{Math.round(duration)} ms</span>
          </>
        )}
      </Entries>
    ),
    errors: () => (
      <>
        <Entries {...place} entries={errors} none="No errors happened in this replay.">
          {({ words }) => (
            <>
              <CircleAlert aria-hidden className={classes.icon} data-tone="error" />
              <Line text={words} />
            </>
          )}
        </Entries>
        <Issues project={project} errors={errors} />
      </>
    ),
    user: () => <Person project={project} replay={replay} />,
  };
  const names: PanelName[] = [...laneNames, "user"];
  return (
    <Tabs
      value={shown}
      onChange={(name) => show((name ?? "steps") as PanelName)}
      keepMounted={false}
      className={classes.panel ?? ""}
      classNames={{ tab: classes.tab ?? "" }}
    >
      <Tabs.List>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name === "user" ? "User" : laneWords[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {name === shown && panels[name]()}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** Issues on their own lines, since an entry seeks. */
function Issues({ project, errors }: { project: number; errors: Moment[] }) {
  const issues = new Map(
    errors.flatMap(({ issue, words }) => (issue ? [[issue.id, { ...issue, words }] as const] : [])),
  );
  if (issues.size === 0) return null;
  return (
    <section className={classes.issues} aria-label="Issues">
      <h2>Issues</h2>
      <ul>
        {[...issues.values()].map(({ id, event, words }) => (
          <li key={id}>
            <Link to={paths.issue(project, id, event)}>
              <Line text={words} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** An event: the icon of its kind, with a label for screen readers, and its text. */
function StepWords({ step: { kind, text, tone } }: { step: Step }) {
  const [Icon, words] = stepIcons[kind];
  return (
    <>
      <Icon role="img" aria-label={words} className={classes.icon} data-tone={tone} />
      <Line text={text} mono={kind !== "error"} />
    </>
  );
}
