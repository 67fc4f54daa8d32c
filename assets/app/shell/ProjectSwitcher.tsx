import { Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Check, ChevronsUpDown, Plus } from "lucide-react";
import { projectsQuery } from "../api/queries.ts";
import { paths } from "../paths.ts";
import { Line } from "../ui/Text.tsx";
import { useCurrentProject } from "./current.ts";
import { initials } from "./initials.ts";
import classes from "./Nav.module.css";

/** Which project the pages are about, and a way to another one. */
export function ProjectSwitcher({ folded }: { folded: boolean }) {
  const projects = useQuery(projectsQuery);
  const projectId = useCurrentProject();
  const navigate = useNavigate();
  const current = projects.data?.find((project) => project.id === projectId);
  const name = current?.name ?? (projectId === undefined ? "Choose a project" : "Project");
  const mayCreate = projects.data === undefined || projects.data.length === 0 || projects.data.some(({ organization }) => organization.role !== "member");
  return (
    <Menu position="bottom-start" width="15rem">
      <Menu.Target>
        <button type="button" className={classes.switcher}>
          <span className="unseen">Project:</span>
          <span className={classes.mark} aria-hidden data-initials={initials(name)} />
          {folded ? <span className="unseen">{name}</span> : <Line text={name} />}
          {!folded && <ChevronsUpDown size="0.875rem" aria-hidden style={{ marginLeft: "auto", flex: "none" }} />}
        </button>
      </Menu.Target>
      <Menu.Dropdown mah="70dvh" style={{ overflowY: "auto" }}>
        {projects.data?.map((project) => (
          <Menu.Item
            key={project.id}
            onClick={() => void navigate({ href: paths.issues(project.id) })}
            rightSection={project === current ? <Check size="0.875rem" aria-label="shown now" /> : undefined}
          >
            <Line text={project.name} />
          </Menu.Item>
        ))}
        {mayCreate && (
          <>
            <Menu.Divider />
            <Menu.Item component={Link} to={paths.newProject} leftSection={<Plus size="0.875rem" aria-hidden />}>
              New project
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
