import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { projectsQuery } from "../../../api/queries.ts";
import type { ProjectRetention } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { bytes, exact } from "../../../ui/format.ts";
import { type KindName, kinds, limitWords, removalWords } from "../../../ui/retention/limits.ts";
import table from "../../../ui/Table.module.css";
import { Line } from "../../../ui/Text.tsx";

const kept: Record<KindName, string> = {
  events: "Events kept",
  logs: "Entries kept",
  replays: "Replays kept",
};

/** The limits of each project, and what they would remove now. */
export function RetentionTable({ projects, label }: { projects: ProjectRetention[]; label: string }) {
  const own = useQuery(projectsQuery).data;
  if (projects.length === 0) return <p className="muted">No projects yet.</p>;
  return (
    <table className={table.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Project</th>
          {kinds.map((kind) => (
            <th key={kind} scope="col">
              {kept[kind]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {projects.map((project) => {
          const name = <Line text={project.name} />;
          const isOwn = own?.some(({ id }) => id === project.project_id);
          return (
            <tr key={project.project_id}>
              <td className={table.main}>
                {isOwn ? (
                  <Link to={paths.settings(project.project_id, "retention")} className="cut">
                    {name}
                  </Link>
                ) : (
                  name
                )}
              </td>
              {kinds.map((kind) => (
                <td key={kind} data-label={kept[kind]}>
                  <div>
                    <div>{limitWords(project.policy[kind])}</div>
                    <Beyond project={project} kind={kind} />
                  </div>
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Beyond({ project, kind }: { project: ProjectRetention; kind: KindName }) {
  const removal = project[kind];
  if (removal.count === 0) return <div className="muted">nothing to remove</div>;
  return (
    <div className="number" title={`${exact(removal.bytes)} bytes (${bytes(removal.bytes)})`}>
      {removalWords(kind, removal)} to remove
    </div>
  );
}
