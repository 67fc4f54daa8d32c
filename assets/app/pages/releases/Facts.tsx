import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ReleaseHealth } from "../../api/schema.d.ts";
import { useRights } from "../../api/role.ts";
import { paths } from "../../paths.ts";
import { Count } from "../../ui/Count.tsx";
import { Time } from "../../ui/Time.tsx";
import classes from "./Release.module.css";
import { ReleaseState } from "./ReleaseState.tsx";

/** What a release is and what became of it. */
export function Facts({ project, release }: { project: number; release: ReleaseHealth }) {
  const { role } = useRights(project);
  const { event_count, issue_count, new_issue_count, regression_count, first_event_at, last_event_at } = release;
  return (
    <>
      <dl className={classes.facts}>
        <Fact name="State">
          <ReleaseState release={release} />
        </Fact>
        <Fact name="Created">
          <Time at={release.created_at} />
        </Fact>
        {release.finalized_at && (
          <Fact name="Finalized">
            <Time at={release.finalized_at} />
          </Fact>
        )}
        <Fact name="Address prefix">
          {release.url_prefix === "" ? (
            <span className="muted">none: relative addresses</span>
          ) : (
            <bdi className="mono">{release.url_prefix}</bdi>
          )}
        </Fact>
        <NumberFact name="Source maps" of={release.source_map_count} unit="source maps" />
        <NumberFact name="Events" of={event_count} unit="events" />
        <NumberFact name="Issues" of={issue_count} unit="issues with events of it" />
        <NumberFact name="New issues" of={new_issue_count} unit="issues that began in it" />
        <NumberFact
          name="Regressed"
          of={regression_count}
          unit="issues that came back in it after they were resolved"
        />
        {first_event_at && (
          <Fact name="First event">
            <Time at={first_event_at} />
          </Fact>
        )}
        {last_event_at && (
          <Fact name="Last event">
            <Time at={last_event_at} />
          </Fact>
        )}
      </dl>
      <p className={`${classes.links} ${classes.lead}`}>
        <Link to={paths.issues(project, `release:"${release.version}"`)}>Issues of this release</Link>
        <Link to={paths.issues(project, `is:unresolved release:"${release.version}"`)}>Those that are unresolved</Link>
        <Link to={paths.issues(project, `first_release:"${release.version}"`)}>New in this release</Link>
        {role === "member" && <span>Owners and admins of the organization can delete it.</span>}
      </p>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function NumberFact({ name, of, unit }: { name: string; of: number; unit: string }) {
  return (
    <Fact name={name}>
      <Count of={of} unit={unit} />
    </Fact>
  );
}
