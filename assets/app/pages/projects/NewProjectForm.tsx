import { Button, Select, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, ok } from "../../api/client.ts";
import { projectQuery, projectsQuery } from "../../api/queries.ts";
import type { CreateProject, Organization } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { useForm } from "../../ui/form.ts";
import { oneLine } from "../../ui/visible.ts";
import { freshKeysQuery, makeKey } from "../start/keys.ts";
import { type Platform, Platforms } from "./Platforms.tsx";
import { fields, problemsOf } from "./platforms.ts";
import classes from "./New.module.css";

interface Props {
  /** Where the person may make projects; at least one. */
  organizations: Organization[];
  /** The one that is chosen until another is. */
  first?: number | undefined;
}

export function NewProjectForm({ organizations, first }: Props) {
  const [name, setName] = useState("");
  const [platform, setPlatform] = useState<Platform>({ chosen: "", other: "" });
  const [chosen, setChosen] = useState<number>();
  const organization = chosen ?? first ?? organizations[0]?.id ?? 0;
  const create = useCreate();
  const runsOn = platform.chosen === "other" ? platform.other.trim() || "other" : platform.chosen;
  const form = useForm({
    fields,
    check: () => problemsOf(name, runsOn),
    send: () => create(organization, { name: name.trim(), ...(runsOn === "" ? {} : { platform: runsOn }) }),
  });
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} aria-busy={form.busy} noValidate className={classes.form}>
      <Stack gap="lg">
        <TextInput
          label="Name"
          description="The application that will send its errors."
          name="name"
          autoComplete="off"
          required
          withAsterisk={false}
          autoFocus
          value={name}
          error={form.problems.name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            form.changed("name");
          }}
        />
        <Platforms
          value={platform}
          error={form.problems.platform}
          onChange={(value) => {
            setPlatform(value);
            form.changed("platform");
          }}
        />
        {organizations.length > 1 && (
          <Select
            label="Organization"
            description="Its members can see the project."
            size="sm"
            allowDeselect={false}
            data={organizations.map(({ id, name: label }) => ({ value: String(id), label: oneLine(label) }))}
            value={String(organization)}
            onChange={(id) => setChosen(Number(id))}
          />
        )}
        <Alarm error={form.failure} />
        <div>
          <Button type="submit" size="sm" loading={form.busy}>
            Create the project
          </Button>
        </div>
      </Stack>
    </form>
  );
}

/** Makes the project and a key for it, and goes on to its first steps. */
function useCreate() {
  const cache = useQueryClient();
  const navigate = useNavigate();
  return async (organization_id: number, body: CreateProject) => {
    const path = { organization_id };
    const project = await ok(api.POST("/api/v1/organizations/{organization_id}/projects", { params: { path }, body }));
    cache.setQueryData(projectQuery(project.id).queryKey, project);
    void cache.invalidateQueries({ queryKey: projectsQuery.queryKey });
    try {
      await makeKey(cache, project.id, { name: "browser key", use: "ingest" });
    } catch (error) {
      // The next page says so, and makes one, too.
      cache.setQueryData(freshKeysQuery(project.id).queryKey, { problem: error });
    }
    await navigate({ href: paths.start(project.id), replace: true });
  };
}
