import { Link } from "@tanstack/react-router";
import type { Project, Repository } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { ActionsHead, RowAction } from "../../ui/RowAction.tsx";
import table from "../../ui/Table.module.css";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { oneLine } from "../../ui/visible.ts";

interface Props {
  repositories: Repository[];
  /** Of the organization. */
  projects: Pick<Project, "id" | "name" | "repositories">[];
  remove?: (repository: Repository) => void;
  /** Opens the repository's settings. */
  open?: (repository: Repository) => void;
}

/** Repositories, a row each. */
export function RepositoryTable({ repositories, projects, remove, open }: Props) {
  return (
    <table className={table.table} aria-label="Repositories">
      <thead>
        <tr>
          <th scope="col">Repository</th>
          <th scope="col">Projects</th>
          <th scope="col">Branch</th>
          <th scope="col">Mirror</th>
          <th scope="col">Added</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {repositories.map((repository) => (
          <tr key={repository.id}>
            <td className={table.main}>
              <Line text={repository.host_repo_name} />
              <span className="muted cut">
                <Line text={repository.host_url} mono />
              </span>
            </td>
            <td data-label="Projects">
              <Projects of={projects.filter(({ repositories: ids }) => ids.includes(repository.id))} />
            </td>
            <td data-label="Branch" className="cut">
              <Line text={repository.default_branch} mono />
            </td>
            <td
              data-label="Mirror"
              title="A runner keeps a mirror of a repository that it has cloned: the next session there starts in seconds"
            >
              {repository.prebuild_status === "ready" ? "ready" : <span className="muted">none yet</span>}
            </td>
            <td data-label="Added">
              <Time at={repository.created_at} />
            </td>
            <td className={table.action}>
              {open && (
                <RowAction label={`Agents in ${repository.host_repo_name}`} onClick={() => open(repository)}>
                  Agents…
                </RowAction>
              )}
              {remove && (
                <RowAction label={`Remove ${repository.host_repo_name}`} danger onClick={() => remove(repository)}>
                  Remove…
                </RowAction>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Links to where projects choose their repositories. */
function Projects({ of }: { of: Props["projects"] }) {
  if (of.length === 0) return <span className="muted">none</span>;
  return (
    <span>
      {of.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <Link to={paths.settings(id, "repositories")}>
            <bdi>{oneLine(name)}</bdi>
          </Link>
        </span>
      ))}
    </span>
  );
}
