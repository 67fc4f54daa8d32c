import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { deleteProject } from "../../api/project-settings.ts";
import { projectsQuery } from "../../api/queries.ts";
import type { Project } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { ConfirmTyped } from "../../ui/ConfirmTyped.tsx";
import { done } from "../../ui/notify.ts";
import { oneLine } from "../../ui/visible.ts";
import classes from "../../ui/settings/Settings.module.css";

/** Deletes a project. `settle` discards unsaved changes, so that nothing asks about them. */
export function DeleteProject({ project, settle }: { project: Project; settle: () => void }) {
  const [asked, setAsked] = useState(false);
  const cache = useQueryClient();
  const navigate = useNavigate();
  const projects = useQuery(projectsQuery);
  const run = async () => {
    await deleteProject(project.id);
    settle();
    const next = projects.data?.find(({ id }) => id !== project.id);
    await navigate({ href: next ? paths.issues(next.id) : paths.newProject, replace: true, ignoreBlocker: true });
    cache.setQueryData(projectsQuery.queryKey, (known) => known?.filter(({ id }) => id !== project.id));
    cache.removeQueries({ queryKey: ["project", project.id] });
    void cache.invalidateQueries({ queryKey: projectsQuery.queryKey });
    done(`Project ${oneLine(project.name)} deleted`);
  };
  return (
    <section className={classes.part} aria-labelledby="delete">
      <h2 id="delete">Delete project</h2>
      <div className={classes.spread}>
        <p>
          Deletes the project with its issues, events, logs, releases, source maps and keys, at once and for good.
          Applications that still send to it will be refused.
        </p>
        <Button variant="outline" color="red" onClick={() => setAsked(true)}>
          Delete project…
        </Button>
      </div>
      <ConfirmTyped
        opened={asked}
        close={() => setAsked(false)}
        title="Delete project?"
        word={project.name}
        action="Delete project"
        doing="Deleting…"
        run={run}
      >
        <p>
          All its issues, events, logs, releases, source maps and keys will be deleted. This cannot be undone, except by
          restoring a backup of the whole instance. With many events it takes a few seconds.
        </p>
      </ConfirmTyped>
    </section>
  );
}
