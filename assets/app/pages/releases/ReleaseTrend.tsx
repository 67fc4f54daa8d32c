import { useCallback } from "react";
import { releaseKeys } from "../../api/mapped-releases.ts";
import { askProjectTrend, askReleaseTrend } from "../../api/release-queries.ts";
import type { Deploy } from "../../api/schema.d.ts";
import type { Period } from "../../navigation/limits.ts";
import { useCarried } from "../../navigation/use-carried.ts";
import { Trend } from "../../ui/trend/Trend.tsx";
import classes from "./Release.module.css";
import { there } from "./limited-words.ts";

interface Props {
  project: number;
  /** Where the events happened, and to where the deploys went; `undefined`: anywhere. */
  environment: string | undefined;
}

const isThere = (deploy: Deploy, environment: string | undefined): boolean =>
  environment === undefined || deploy.environment === environment;

/** A release's events, with its deploys. */
export function ReleaseTrend({ project, version, environment }: Props & { version: string }) {
  const marks = useCallback(
    (deploy: Deploy) => deploy.version === version && isThere(deploy, environment),
    [version, environment],
  );
  return (
    <Trend
      project={project}
      queryKey={[...releaseKeys.one(project, version), environment ?? null]}
      ask={(hours, signal) => askReleaseTrend(project, version, { hours, environment }, signal)}
      marks={marks}
      along={useCarried("releases")}
      first="7d"
      saysNone
      frame={(tools, chart) => (
        <section className={classes.section} aria-labelledby="trend">
          <div className={classes.head}>
            <h2 id="trend">Events{there(environment)}</h2>
            {tools}
          </div>
          {chart}
        </section>
      )}
    />
  );
}

/** The project's events, with the deploys of all releases, at first in the period of the list. */
export function ProjectTrend({ project, environment, period = "7d" }: Props & { period: Period | undefined }) {
  const marks = useCallback((deploy: Deploy) => isThere(deploy, environment), [environment]);
  return (
    <Trend
      project={project}
      queryKey={[...releaseKeys.all(project), "project", environment ?? null]}
      ask={(hours, signal) => askProjectTrend(project, { hours, environment }, signal)}
      marks={marks}
      along={useCarried("releases")}
      first={period}
      saysNone
      frame={(tools, chart) => (
        <section className={classes.trend} aria-labelledby="trend">
          <div className={classes.head}>
            <h2 id="trend">Events of all releases{there(environment)}</h2>
            {tools}
          </div>
          {chart}
        </section>
      )}
    />
  );
}
