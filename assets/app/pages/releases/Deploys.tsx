import { useQuery } from "@tanstack/react-query";
import { deploysOfQuery } from "../../api/release-queries.ts";
import type { Deploy, ReleaseHealth } from "../../api/schema.d.ts";
import { counted, took } from "../../ui/format.ts";
import { Answer } from "../../ui/States.tsx";
import table from "../../ui/Table.module.css";
import { Time } from "../../ui/Time.tsx";
import classes from "./Release.module.css";

/** Where a release was deployed to, and when. */
export function Deploys({ project, release }: { project: number; release: ReleaseHealth }) {
  const deploys = useQuery(deploysOfQuery(project, release.version));
  return (
    <section className={classes.section} aria-labelledby="deploys">
      <h2 id="deploys">Deploys</h2>
      <Answer query={deploys} what="The deploys" rows={1}>
        {({ deploys: rows, total }) =>
          rows.length === 0 ? (
            <p className={classes.lead}>
              None recorded. Run <code>mayday releases deploy --environment production {release.version}</code> in your
              pipeline after each deploy: charts then show it, and new issues name it.
            </p>
          ) : (
            <>
              <table className={table.table}>
                <thead>
                  <tr>
                    <th>Environment</th>
                    <th>Deploy</th>
                    <th>Took</th>
                    <th>Finished</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((deploy) => (
                    <Row key={deploy.id} deploy={deploy} />
                  ))}
                </tbody>
              </table>
              {total > rows.length && (
                <p className={classes.lead}>
                  The last {rows.length} of {counted(total, "deploy")}.
                </p>
              )}
            </>
          )
        }
      </Answer>
    </section>
  );
}

function Row({ deploy }: { deploy: Deploy }) {
  const { environment, name, url, started_at, finished_at } = deploy;
  const words = name ?? (url === null ? "–" : "Show");
  return (
    <tr>
      <td className={table.main}>
        <bdi>{environment}</bdi>
      </td>
      <td>
        {url === null ? (
          <bdi>{words}</bdi>
        ) : (
          <a href={url} target="_blank" rel="noreferrer noopener nofollow" title={url}>
            <bdi>{words}</bdi>
          </a>
        )}
      </td>
      <td className="number">
        {started_at === null ? (
          <span className="muted">unknown</span>
        ) : (
          took(Date.parse(finished_at) - Date.parse(started_at))
        )}
      </td>
      <td>
        <Time at={finished_at} />
      </td>
    </tr>
  );
}
