import { Select, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, ok } from "../../api/client.ts";
import { projectQuery, projectsQuery } from "../../api/queries.ts";
import type { CreateProject, Organization } from "../../api/schema.d.ts";
import { freshKeysQuery, createKeyInTab } from "../../first-steps/keys.ts";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { useForm } from "../../ui/form.ts";
import { oneLine } from "../../ui/visible.ts";
import { type Platform, Platforms } from "./Platforms.tsx";
import { problemsOf } from "./platforms.ts";
import classes from "./New.module.css";

interface Props {
  /** Where the person may create projects; at least one. */
  organizations: Organization[];
  /** The one that is preselected. */
  first?: number | undefined;
}

export function NewProjectForm({ organizations, first }: Props) {
  const create = useCreate();
  const preselected = first ?? organizations[0]?.id ?? 0;
  const form = useForm({
    initialValues: {
      name: "",
      platform: { chosen: "", other: "" } as Platform,
      organization: undefined as number | undefined,
    },
    validate: (values) => problemsOf(values.name, platformOf(values.platform)),
    send: ({ name, platform: given, organization }) => {
      const platform = platformOf(given);
      return create(organization ?? preselected, { name: name.trim(), ...(platform === "" ? {} : { platform }) });
    },
  });
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} aria-busy={form.busy} noValidate className={classes.form}>
      <Stack gap="lg">
        <TextInput
          {...form.field("name")}
          label="Name"
          description="The application that will send its errors."
          autoComplete="off"
          required
          withAsterisk={false}
          autoFocus
        />
        <Platforms {...form.field("platform")} />
        {organizations.length > 1 && (
          <Select
            label="Organization"
            description="Its members can see the project."
            size="sm"
            allowDeselect={false}
            data={organizations.map(({ id, name: label }) => ({ value: String(id), label: oneLine(label) }))}
            value={String(form.values.organization ?? preselected)}
            onChange={(id) => form.setFieldValue("organization", Number(id))}
          />
        )}
        <Alarm error={form.failure} />
        <div>
          <BusyButton type="submit" size="sm" busy={form.busy} label="Create project" doing="Creating…" />
        </div>
      </Stack>
    </form>
  );
}

const platformOf = ({ chosen, other }: Platform): string => (chosen === "other" ? other.trim() || "other" : chosen);

/** Creates the project and a key for it, and continues to its first steps. */
function useCreate() {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return async (organization_id: number, body: CreateProject) => {
    const path = { organization_id };
    const project = await ok(api.POST("/api/v1/organizations/{organization_id}/projects", { params: { path }, body }));
    cache.setQueryData(projectQuery(project.id).queryKey, project);
    void cache.invalidateQueries({ queryKey: projectsQuery.queryKey });
    try {
      await createKeyInTab(cache, project.id, { name: "browser key", use: "ingest" });
    } catch (error) {
      // The next page reports the failure, and can create a key as well.
      cache.setQueryData(freshKeysQuery(project.id).queryKey, { problem: error });
    }
    await navigate({ href: paths.start(project.id), replace: true });
  };
}
