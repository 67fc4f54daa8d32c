import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ReleaseHealth } from "../../api/schema.d.ts";
import { useRights } from "../../api/role.ts";
import { useCarried } from "../../navigation/use-carried.ts";
import { paths } from "../../paths.ts";
import { exact } from "../../ui/format.ts";
import { Time } from "../../ui/Time.tsx";
import classes from "./Facts.module.css";
import { ReleaseState } from "./ReleaseState.tsx";
import { LimitedTo } from "./LimitedTo.tsx";
import { releaseWords, there } from "./limited-words.ts";
import { useLimits } from "./use-limits.ts";

/** The facts of a release in two tables side by side, one of texts and times, one of figures. */
export function Facts({ project, release }: { project: number; release: ReleaseHealth }) {
  const { role } = useRights(project);
  const along = { issues: useCarried("issues"), releases: useCarried("releases") };
  const limits = useLimits();
  const where = there(limits.environment);
  const everywhere = limits.environment === undefined ? "" : ", in any environment";
  const { version, first_event_at, last_event_at } = release;
  return (
    <>
      <div className={classes.facts}>
        <dl className={classes.table} aria-label="About this release">
          <Fact name="State">
            <ReleaseState release={release} />
          </Fact>
          <Fact name="URL prefix">
            {release.url_prefix === null ? (
              <span className="muted">none until it is created</span>
            ) : release.url_prefix === "" ? (
              <span className="muted">none, so URLs are relative</span>
            ) : (
              <bdi className="mono">{release.url_prefix}</bdi>
            )}
          </Fact>
          <TimeFact name="Created" at={release.created_at} none="not yet: only events name it" />
          <TimeFact name="Finalized" at={release.finalized_at} none="not yet" />
          <TimeFact name="First event" at={first_event_at} none={where === "" ? "none yet" : `none${where}`} />
          <TimeFact name="Last event" at={last_event_at} none={where === "" ? "none yet" : `none${where}`} />
        </dl>
        <dl className={classes.table} data-figures aria-label="Figures of this release">
          <Figure name="Source maps" of={release.source_map_count} />
          <Figure name="Events" of={release.event_count} />
          <Figure
            name="Users"
            of={release.user_count}
            about={`Users that events of this release happened to${where}`}
          />
          <Figure name="Issues" of={release.issue_count} about={`Issues with events from this release${where}`} />
          <Figure
            name="New issues"
            of={release.new_issue_count}
            about={`Issues first seen in this release${everywhere}`}
          />
          <Figure
            name="Regressed issues"
            of={release.regression_count}
            about={`Resolved issues that happened again in this release${everywhere}`}
          />
        </dl>
      </div>
      <LimitedTo words={releaseWords(limits)} />
      <p className={classes.links}>
        {issueLinks(version).map(([words, query]) => (
          <Link key={query} to={paths.issues(project)} search={{ ...along.issues, query }}>
            {words}
          </Link>
        ))}
        <Link to={paths.compare(project, version)} search={along.releases}>
          Compare with the release before
        </Link>
        {role === "member" && release.id !== null && (
          <span>Only owners and admins of the organization can delete a release.</span>
        )}
      </p>
    </>
  );
}

/** What is to be found of a release in the list of issues, and the query. */
const issueLinks = (version: string): [words: string, query: string][] => [
  ["All issues in this release", `release:"${version}"`],
  ["Unresolved issues", `is:unresolved release:"${version}"`],
  ["New issues", `first_release:"${version}"`],
];

function Fact({ name, about, children }: { name: string; about?: string; children: ReactNode }) {
  return (
    <div title={about}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function TimeFact({ name, at, none }: { name: string; at: string | null; none?: string }) {
  return <Fact name={name}>{at ? <Time at={at} /> : <span className="muted">{none}</span>}</Fact>;
}

function Figure({ name, of, about }: { name: string; of: number; about?: string }) {
  return (
    <Fact name={name} {...(about ? { about } : {})}>
      <span className={of === 0 ? "number muted" : "number"}>{exact(of)}</span>
    </Fact>
  );
}
