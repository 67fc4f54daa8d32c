import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown } from "lucide-react";
import type { ComponentProps } from "react";
import { projectsQuery } from "../api/queries.ts";
import { useCurrentProject, useOrganizations } from "../navigation/current.ts";
import { Line } from "../ui/Text.tsx";
import { initials } from "./initials.ts";
import classes from "./Nav.module.css";

/** The current project; opens the menu of all. */
export function SwitcherButton({ folded, ...button }: { folded: boolean } & ComponentProps<"button">) {
  const projects = useQuery(projectsQuery);
  const projectId = useCurrentProject();
  const current = projects.data?.find((project) => project.id === projectId);
  const several = useOrganizations().length > 1;
  const none = projects.data?.length === 0 ? "No project yet" : "Choose a project";
  const name = current?.name ?? (projectId === undefined ? none : "Project");
  return (
    <button type="button" {...button} className={classes.switcher}>
      <span className="unseen">Project:</span>
      <span className={classes.mark} aria-hidden data-initials={current ? initials(name) : "–"} />
      {folded ? (
        <span className="unseen">{name}</span>
      ) : (
        <span className={classes.current}>
          <Line text={name} />
          {several && current && (
            <span className={classes.of}>
              <Line text={current.organization.name} />
            </span>
          )}
        </span>
      )}
      {!folded && <ChevronsUpDown size="0.875rem" aria-hidden style={{ marginLeft: "auto", flex: "none" }} />}
    </button>
  );
}
