import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { isStatus } from "../api/error.ts";
import { useLiveProject } from "../api/live.ts";
import { projectQuery } from "../api/queries.ts";
import { Forbidden } from "../errors/Missing.tsx";
import { rememberProject } from "../navigation/last-project.ts";
import { Page } from "../navigation/Page.tsx";
import { Answer, Loading } from "../ui/States.tsx";

/** The frame of every page of a project: who may see it, and its live updates. */
export function ProjectFrame() {
  const { projectId } = useParams({ from: "/inside/projects/$projectId" });
  return <Frame project={projectId} key={projectId} />;
}

function Frame({ project: id }: { project: number }) {
  const [refused, setRefused] = useState(false);
  // Before the first request, so that the stream is open when the pages send theirs.
  const ready = useLiveProject(id, !refused);
  const project = useQuery(projectQuery(id));
  const forbidden = isStatus(project.error, 403, 404);
  if (forbidden !== refused) setRefused(forbidden);
  if (forbidden) return <Forbidden />;
  if (project.data && ready) return <Remembered project={id} />;
  return (
    <Page title="Project" bare>
      {project.data ? (
        <Loading />
      ) : (
        <Answer query={project} what="The project">
          {() => null}
        </Answer>
      )}
    </Page>
  );
}

function Remembered({ project }: { project: number }) {
  useEffect(() => rememberProject(project), [project]);
  return <Outlet />;
}
