import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { changeProject, type ProjectChange } from "../../api/project-queries.ts";
import { organizationQuery, projectQuery, projectsQuery } from "../../api/queries.ts";
import { useRights } from "../../api/role.ts";
import type { Project } from "../../api/schema.d.ts";
import { done } from "../../ui/notify.tsx";
import { fieldProblem, refusal } from "../../ui/settings/who.ts";

/** Saves changes of a project; `problem` tells the words for a field, or for none (`""`). */
export function useSave(project: number, fields: readonly string[], saved: (project: Project) => void) {
  const cache = useQueryClient();
  const { organization } = useRights(project);
  const save = useMutation({
    mutationFn: (change: ProjectChange) => changeProject(project, change),
    onSuccess: (now) => {
      cache.setQueryData(projectQuery(project).queryKey, now);
      void cache.invalidateQueries({ queryKey: projectsQuery.queryKey });
      saved(now);
      done("Saved");
    },
  });
  const members = useQuery({
    ...organizationQuery(organization?.id ?? 0),
    enabled: save.isError && organization !== undefined,
  });
  const found = fieldProblem(save.error, fields);
  const problem = (field: string): string | undefined => {
    if (!save.error) return undefined;
    if (found) return found.field === field ? found.words : undefined;
    return field === "" ? refusal(save.error, members.data?.members) : undefined;
  };
  return { save: save.mutate, busy: save.isPending, problem, forget: save.reset };
}
