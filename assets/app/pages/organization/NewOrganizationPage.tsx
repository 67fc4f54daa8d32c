import { Button, Stack, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMany } from "../../api/instance.ts";
import { createOrganization } from "../../api/organization-queries.ts";
import { organizationsQuery, projectsQuery } from "../../api/queries.ts";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { useForm } from "../../ui/form.ts";
import { nameProblem, required } from "../../ui/rules.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import classes from "../projects/New.module.css";

/** Creates an organization, where there may be several. */
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
              An organization is your company or team. Everyone you invite to it can see its projects.
              {all.length === 0 && " To join an existing one, ask one of its admins to invite you."}
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
      Go to issues
    </Button>
  );
  return (
    <Page title="New organization" bare wide>
      <Empty title="This server has one organization" action={home}>
        <p>It is set up for a single organization, so you cannot create another.</p>
      </Empty>
    </Page>
  );
}

function Form() {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { name: "" },
    validate: { name: (name) => required(name) ?? nameProblem(name.trim()) },
    send: async ({ name }) => {
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
          {...form.field("name")}
          label="Name"
          description="You can change it later."
          autoComplete="organization"
          required
          withAsterisk={false}
          autoFocus
        />
        <Alarm error={form.failure} />
        <div>
          <BusyButton type="submit" size="sm" busy={form.busy} label="Create organization" doing="Creating…" />
        </div>
      </Stack>
    </form>
  );
}
