import { useQueryClient } from "@tanstack/react-query";
import { changeProject, type ProjectChange } from "../../api/project-settings.ts";
import { projectQuery, projectsQuery } from "../../api/queries.ts";
import { done } from "../../ui/notify.ts";

/** Saves changes of a project, and shows them on every page. */
export function useSave(project: number) {
  const cache = useQueryClient();
  return async (change: ProjectChange) => {
    cache.setQueryData(projectQuery(project).queryKey, await changeProject(project, change));
    void cache.invalidateQueries({ queryKey: projectsQuery.queryKey });
    done("Saved");
  };
}
