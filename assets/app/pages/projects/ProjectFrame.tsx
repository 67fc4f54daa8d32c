import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { isStatus } from "../../api/error.ts";
import { useLiveProject } from "../../api/live.ts";
import { projectQuery } from "../../api/queries.ts";
import { Page } from "../../ui/Page.tsx";
import { Answer } from "../../ui/states.tsx";
import { Forbidden } from "../errors/Missing.tsx";
import { rememberProject } from "./last.ts";

/** Around every page of a project: who may see it, and its live changes. */
export function ProjectFrame() {
  const { projectId } = useParams({ from: "/inside/projects/$projectId" });
  const project = useQuery(projectQuery(projectId));
  if (isStatus(project.error, 403, 404)) return <Forbidden />;
  if (project.data) return <Followed project={projectId} key={projectId} />;
  return (
    <Page title="Project" bare>
      <Answer query={project} what="The project">
        {() => null}
      </Answer>
    </Page>
  );
}

function Followed({ project }: { project: number }) {
  useLiveProject(project);
  useEffect(() => rememberProject(project), [project]);
  return <Outlet />;
}
