import { useCallback } from "react";
import { askProjectTrend, askReleaseTrend, releaseKeys } from "../../api/release-queries.ts";
import type { Deploy } from "../../api/schema.d.ts";
import { useCarried } from "../../navigation/use-carried.ts";
import { Trend } from "../../ui/trend/Trend.tsx";
import classes from "./Release.module.css";

/** A release's events, with its deploys. */
export function ReleaseTrend({ project, version }: { project: number; version: string }) {
  const marks = useCallback((deploy: Deploy) => deploy.version === version, [version]);
  return (
    <Trend
      project={project}
      queryKey={releaseKeys.one(project, version)}
      ask={(hours, signal) => askReleaseTrend(project, version, hours, signal)}
      marks={marks}
      along={useCarried("releases")}
      first="7d"
      saysNone
      frame={(tools, chart) => (
        <section className={classes.section} aria-labelledby="trend">
          <div className={classes.head}>
            <h2 id="trend">Events</h2>
            {tools}
          </div>
          {chart}
        </section>
      )}
    />
  );
}

const all = () => true;

/** The project's events, with the deploys of all releases. */
export function ProjectTrend({ project }: { project: number }) {
  return (
    <Trend
      project={project}
      queryKey={[...releaseKeys.all(project), "project"]}
      ask={(hours, signal) => askProjectTrend(project, hours, signal)}
      marks={all}
      along={useCarried("releases")}
      first="7d"
      saysNone
      frame={(tools, chart) => (
        <section className={classes.trend} aria-labelledby="trend">
          <div className={classes.head}>
            <h2 id="trend">Events of all releases</h2>
            {tools}
          </div>
          {chart}
        </section>
      )}
    />
  );
}
