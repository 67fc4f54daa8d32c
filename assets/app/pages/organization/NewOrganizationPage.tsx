import { Button, Stack, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useMany } from "../../api/instance.ts";
import { createOrganization } from "../../api/organization-queries.ts";
import { organizationsQuery, projectsQuery } from "../../api/queries.ts";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { useForm } from "../../ui/form.ts";
import { Page } from "../../ui/Page.tsx";
import { found, nameProblem } from "../../ui/rules.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import classes from "../projects/New.module.css";

/** Makes an organization, where there may be many. */
export default function NewOrganizationPage() {
  const organizations = useQuery(organizationsQuery);
  const many = useMany();
  if (many === false) return <OnlyOne />;
  return (
    <Page title={organizations.data?.length === 0 ? "Your organization" : "New organization"}>
      <Answer query={organizations} what="Your organizations" rows={3}>
        {(all) => (
          <>
            <p className={classes.lead}>
              An organization is your company or team. Projects belong to it, and everybody whom you invite to it can
              see them.
              {all.length === 0 && " To join one that is there already, ask somebody in it to invite you."}
            </p>
            <Form />
          </>
        )}
      </Answer>
    </Page>
  );
}

function OnlyOne() {
  const home = (
    <Button component={Link} to={paths.home} variant="default">
      To the issues
    </Button>
  );
  return (
    <Page title="New organization" bare wide>
      <Empty title="There is one organization here" action={home}>
        <p>This server is set up for a single organization, so no other can be made.</p>
      </Empty>
    </Page>
  );
}

function Form() {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const form = useForm({
    fields: ["name"] as const,
    check: () => found({ name: name.trim() === "" ? "Enter a name." : nameProblem(name.trim()) }),
    send: async () => {
      const made = await createOrganization(name.trim());
      cache.setQueryData(organizationsQuery.queryKey, (known) => [...(known ?? []), made]);
      void cache.invalidateQueries({ queryKey: projectsQuery.queryKey });
      await navigate({ to: paths.newProject, search: { organization: made.id }, replace: true });
    },
  });
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} aria-busy={form.busy} noValidate className={classes.form}>
      <Stack gap="lg">
        <TextInput
          label="Name"
          description="You can change it later."
          name="name"
          autoComplete="organization"
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
        <Alarm error={form.failure} />
        <div>
          <Button type="submit" size="sm" loading={form.busy}>
            Create the organization
          </Button>
        </div>
      </Stack>
    </form>
  );
}
