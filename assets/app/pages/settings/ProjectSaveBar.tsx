import { useQuery } from "@tanstack/react-query";
import { organizationQuery } from "../../api/queries.ts";
import { useRights } from "../../api/role.ts";
import { SaveBar } from "../../ui/settings/SaveBar.tsx";
import { refusal } from "../../ui/settings/refusal.ts";

interface Props {
  project: number;
  form: Parameters<typeof SaveBar>[0]["form"];
}

/** Saves a project's settings; a refusal also names who can help. */
export function ProjectSaveBar({ project, form }: Props) {
  const { organization } = useRights(project);
  const members = useQuery({
    ...organizationQuery(organization?.id ?? 0),
    enabled: form.failure !== undefined && organization !== undefined,
  }).data?.members;
  return <SaveBar form={form} problem={form.failure && refusal(form.failure, members)} />;
}
