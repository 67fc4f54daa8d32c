import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { projectsQuery } from "../../../api/queries.ts";
import type { ProjectUsage } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { Bytes } from "../../../ui/Bytes.tsx";
import { percent } from "../../../ui/format.ts";
import { Empty } from "../../../ui/States.tsx";
import { Line } from "../../../ui/Text.tsx";
import table from "../../../ui/Table.module.css";
import { bytesOf, kindWords, projectKinds } from "./kinds.ts";
import classes from "./Usage.module.css";

/** The data of each project, the largest first. */
export function ProjectTable({ projects, all }: { projects: ProjectUsage[]; all: number }) {
  const own = useQuery(projectsQuery).data;
  if (projects.length === 0)
    return (
      <Empty title="No projects yet">
        <p>Create a project: what it holds will appear here.</p>
      </Empty>
    );
  const mayOpen = (id: number) => own?.some((project) => project.id === id) ?? false;
  return (
    <section aria-labelledby="usage-projects" className={classes.part}>
      <h3 id="usage-projects">By project</h3>
      <table className={`${table.table} ${classes.projects}`} aria-labelledby="usage-projects">
        <thead>
          <tr>
            <th scope="col">Project</th>
            {projectKinds.map((kind) => (
              <th key={kind} scope="col" className={`${classes.figure} ${classes.detail}`}>
                {kindWords[kind].label}
              </th>
            ))}
            <th scope="col" className={classes.figure}>
              Total
            </th>
            <th scope="col" className={classes.figure}>
              Share
            </th>
            <th scope="col" className={classes.figure}>
              Growth per day
            </th>
          </tr>
        </thead>
        <tbody>
          {projects.map((project) => (
            <Row key={project.project_id} project={project} all={all} mayOpen={mayOpen(project.project_id)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ project, all, mayOpen }: { project: ProjectUsage; all: number; mayOpen: boolean }) {
  const growth = project.growth_bytes_per_day;
  const name = <Line text={project.name} />;
  return (
    <tr>
      <td className={table.main}>
        {mayOpen ? (
          <Link to={paths.settings(project.project_id, "retention")} className={classes.name ?? ""}>
            {name}
          </Link>
        ) : (
          name
        )}
      </td>
      {projectKinds.map((kind) => (
        <td key={kind} className={`${classes.figure} ${classes.detail}`} data-label={kindWords[kind].label}>
          <Bytes of={bytesOf(project.kinds, kind)} />
        </td>
      ))}
      <td className={classes.figure} data-label="Total">
        <Bytes of={project.bytes} />
      </td>
      <td className={`number ${classes.figure}`} data-label="Share">
        {percent(project.bytes, all)}
      </td>
      <td className={classes.figure} data-label="Per day">
        {growth === null ? <span className="muted">—</span> : <Bytes of={growth} signed />}
      </td>
    </tr>
  );
}
