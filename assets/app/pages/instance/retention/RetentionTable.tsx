import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { projectsQuery } from "../../../api/queries.ts";
import type { ProjectRetention } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { bytes, exact } from "../../../ui/format.ts";
import { type KindName, limitWords, removalWords } from "../../../ui/retention/limits.ts";
import table from "../../../ui/Table.module.css";
import { Line } from "../../../ui/Text.tsx";

/** The limits of each project, and what they would remove now. */
export function RetentionTable({ projects, label }: { projects: ProjectRetention[]; label: string }) {
  const own = useQuery(projectsQuery).data;
  if (projects.length === 0) return <p className="muted">No projects yet.</p>;
  return (
    <table className={table.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Project</th>
          <th scope="col">Events kept</th>
          <th scope="col">Beyond the limits</th>
          <th scope="col">Log entries kept</th>
          <th scope="col">Beyond the limits</th>
          <th scope="col">Session replays kept</th>
          <th scope="col">Beyond the limits</th>
        </tr>
      </thead>
      <tbody>
        {projects.map((project) => {
          const name = <Line text={project.name} />;
          const isOwn = own?.some(({ id }) => id === project.project_id);
          return (
            <tr key={project.project_id}>
              <td className={table.main}>
                {isOwn ? <Link to={paths.settings(project.project_id, "retention")}>{name}</Link> : name}
              </td>
              <td data-label="Events kept">{limitWords(project.policy.events)}</td>
              <td data-label="Beyond">
                <Beyond project={project} kind="events" />
              </td>
              <td data-label="Entries kept">{limitWords(project.policy.logs)}</td>
              <td data-label="Beyond">
                <Beyond project={project} kind="logs" />
              </td>
              <td data-label="Replays kept">{limitWords(project.policy.replays)}</td>
              <td data-label="Beyond">
                <Beyond project={project} kind="replays" />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Beyond({ project, kind }: { project: ProjectRetention; kind: KindName }) {
  const removal = project[kind];
  if (removal.count === 0) return <span className="muted">nothing</span>;
  return (
    <span className="number" title={`${exact(removal.bytes)} bytes (${bytes(removal.bytes)})`}>
      {removalWords(kind, removal)}
    </span>
  );
}
