import { Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Check, Plus, Settings } from "lucide-react";
import { useMany } from "../api/instance.ts";
import { projectsQuery } from "../api/queries.ts";
import { paths } from "../paths.ts";
import type { Opening } from "../ui/Deferred.tsx";
import { Line } from "../ui/Text.tsx";
import { oneLine } from "../ui/visible.ts";
import { useCurrentProject, useMayCreate, useOrganizations } from "../navigation/current.ts";
import classes from "./Nav.module.css";
import { SwitcherButton } from "./SwitcherButton.tsx";

/** The current project, and a menu of all. */
export default function SwitcherMenu({ folded, isPressed }: { folded: boolean } & Opening) {
  const projectId = useCurrentProject();
  return (
    <Menu position="bottom-start" width="15rem" defaultOpened={isPressed}>
      <Menu.Target>
        <SwitcherButton folded={folded} />
      </Menu.Target>
      <Menu.Dropdown mah="70dvh" style={{ overflowY: "auto" }}>
        <Choices current={projectId} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Every project, under its organization where there are several, and what can be created. */
function Choices({ current }: { current: number | undefined }) {
  const projects = useQuery(projectsQuery).data ?? [];
  const organizations = useOrganizations();
  const many = useMany();
  const mayCreate = useMayCreate();
  const add = <Plus size="0.875rem" aria-hidden />;
  return (
    <>
      {organizations.length > 1 ? (
        organizations.map(({ id, name }) => (
          <div key={id} role="group" aria-label={oneLine(name)} className={classes.group}>
            <Menu.Item
              component={Link}
              to={paths.organization(id)}
              aria-label={`Settings of ${oneLine(name)}`}
              className={classes.owner ?? ""}
              rightSection={<Settings size="0.875rem" aria-hidden />}
            >
              <span className={classes.item}>
                <Line text={name} />
              </span>
            </Menu.Item>
            <ProjectItems projects={projects.filter(({ organization }) => organization.id === id)} current={current} />
          </div>
        ))
      ) : (
        <ProjectItems projects={projects} current={current} />
      )}
      {projects.length > 0 && (mayCreate || many) && <Menu.Divider />}
      {projects.length === 0 && !mayCreate && !many && (
        <Menu.Label>Only owners and admins can create projects</Menu.Label>
      )}
      {mayCreate && (
        <Menu.Item component={Link} to={paths.newProject} leftSection={add}>
          New project
        </Menu.Item>
      )}
      {many && (
        <Menu.Item component={Link} to={paths.newOrganization} leftSection={add}>
          New organization
        </Menu.Item>
      )}
    </>
  );
}

function ProjectItems({
  projects,
  current,
}: {
  projects: { id: number; name: string }[];
  current: number | undefined;
}) {
  const navigate = useNavigate();
  return projects.map(({ id, name }) => (
    <Menu.Item
      key={id}
      onClick={() => void navigate({ href: paths.issues(id) })}
      rightSection={id === current ? <Check size="0.875rem" aria-label="current" /> : undefined}
    >
      <span className={classes.item}>
        <Line text={name} />
      </span>
    </Menu.Item>
  ));
}
