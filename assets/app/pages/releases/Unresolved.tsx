import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, CircleCheck } from "lucide-react";
import { unresolvedQuery } from "../../api/release-queries.ts";
import type { ReleaseHealth, UnresolvedFrames, UnresolvedUrl } from "../../api/schema.d.ts";
import { useOrigin } from "../../first-steps/use-origin.ts";
import { ReleaseLink } from "../../navigation/ReleaseLink.tsx";
import { paths } from "../../paths.ts";
import { counted } from "../../ui/format.ts";
import { Snippet } from "../../ui/Snippet.tsx";
import { Answer } from "../../ui/States.tsx";
import { Line, Prose } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { CiKey } from "./CiKey.tsx";
import { mendWords, ruleWords } from "./mend.ts";
import { isNeedless, latest, needlessWords } from "./needless.ts";
import classes from "./Release.module.css";
import own from "./Unresolved.module.css";

interface Props {
  project: number;
  release: ReleaseHealth;
  hasEvents: boolean;
}

/** The frames of a release's latest events that could not be resolved, why, and how to fix it. */
export function Unresolved({ project, release, hasEvents }: Props) {
  const unresolved = useQuery({ ...unresolvedQuery(project, release.version), enabled: hasEvents });
  return (
    <section className={classes.section} aria-labelledby="unresolved">
      <h2 id="unresolved">Unresolved frames</h2>
      {hasEvents ? (
        <div className={own.room}>
          <Answer query={unresolved} what="The unresolved frames" rows={2}>
            {(found) => <List project={project} release={release} found={found} />}
          </Answer>
        </div>
      ) : (
        <NoEvents />
      )}
    </section>
  );
}

const NoEvents = () => <p className={classes.lead}>This release has no events yet.</p>;

function List({ project, release, found }: { project: number; release: ReleaseHealth; found: UnresolvedFrames }) {
  const { unresolved, checked_events: checked, total } = found;
  if (checked === 0) return <NoEvents />;
  if (isNeedless(found)) return <p className={classes.lead}>{needlessWords(checked)}</p>;
  if (unresolved.length === 0) {
    return (
      <p className={classes.good}>
        <CircleCheck aria-hidden />
        <span>Every frame of {latest(checked)} resolves with the source maps uploaded so far.</span>
      </p>
    );
  }
  return (
    <>
      <p className={classes.lead}>
        In {latest(checked)}, frames of {counted(total, "URL")} could not be resolved with the source maps uploaded so
        far
        {total > unresolved.length && `; these are the ${unresolved.length} most frequent`}.
      </p>
      <div>
        {unresolved.map((frame) => (
          <Problem key={`${frame.rule} ${frame.url}`} project={project} release={release} frame={frame} />
        ))}
      </div>
    </>
  );
}

interface ProblemProps {
  project: number;
  release: ReleaseHealth;
  frame: UnresolvedUrl;
}

function Problem({ project, release, frame }: ProblemProps) {
  return (
    <details className={classes.problem}>
      <summary>
        <ChevronRight size="1rem" aria-hidden />
        <span className={classes.what}>
          <span className="cut">{ruleWords[frame.rule]}</span>
          <span>
            <Line text={frame.url} mono />
          </span>
        </span>
        <span className={classes.often}>
          <div className="number">{counted(frame.event_count, "event")}</div>
          <div>
            <span className="number">{counted(frame.frame_count, "frame")}</span>, <Time at={frame.last_seen} />
          </div>
        </span>
      </summary>
      <div className={classes.inside}>
        <p>
          <Worded text={frame.detail} />{" "}
          <Link to={paths.issue(project, frame.last_issue_id, frame.last_event_id)}>Latest event</Link>
        </p>
        {frame.nearest.length > 0 && <Nearest project={project} of={frame} />}
        <Mend project={project} release={release} frame={frame} />
      </div>
    </details>
  );
}

function Mend({ project, release, frame: { rule, url, command } }: ProblemProps) {
  const origin = useOrigin();
  return (
    <div className={classes.nearest}>
      <h3>How to fix it</h3>
      <p>
        <Worded text={mendWords(rule, release, command)} />
      </p>
      {command && (
        <>
          <Snippet label={`command for ${url.slice(0, 200)}`} text={command} />
          <p className={classes.why}>Run it where your build is.</p>
          <CiKey project={project} origin={origin} />
        </>
      )}
    </div>
  );
}

/** Text with code in back quotes. */
function Worded({ text }: { text: string }) {
  return text.split("`").map((part, at) =>
    at % 2 === 1 ? (
      <code key={at}>
        <Prose text={part} />
      </code>
    ) : (
      <Prose key={at} text={part} />
    ),
  );
}

function Nearest({ project, of }: { project: number; of: UnresolvedUrl }) {
  return (
    <div className={classes.nearest}>
      <h3>Closest source maps</h3>
      <ul className={classes.nearest}>
        {of.nearest.map((near) => (
          <li key={`${near.release} ${near.url}`}>
            <bdi className="mono">{near.url}</bdi> in{" "}
            <ReleaseLink project={project} version={near.release}>
              {near.release}
            </ReleaseLink>
            <p className={classes.why}>
              <Worded text={near.why} />
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
