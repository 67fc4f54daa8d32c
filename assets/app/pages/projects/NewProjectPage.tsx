import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useMany } from "../../api/instance.ts";
import { organizationsQuery, projectsQuery } from "../../api/queries.ts";
import { lastProject } from "../../navigation/last-project.ts";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { Answer } from "../../ui/States.tsx";
import { AskAnAdmin } from "./AskAnAdmin.tsx";
import { NewProjectForm } from "./NewProjectForm.tsx";
import classes from "./New.module.css";

const create = (
  <Button component={Link} to={paths.newOrganization}>
    New organization
  </Button>
);

/** Creates a project and its first key. */
export default function NewProjectPage() {
  const organizations = useQuery(organizationsQuery);
  const projects = useQuery(projectsQuery).data;
  const { organization: wanted } = useSearch({ from: "/inside/projects/new" });
  const many = useMany();
  // Unless the address names one: that of the project opened last.
  const last = projects?.find(({ id }) => id === lastProject())?.organization.id;
  return (
    <Page title={projects?.length === 0 && organizations.data?.length !== 0 ? "Your first project" : "New project"}>
      <Answer query={organizations} what="Your organizations" rows={4}>
        {(all) => {
          const own = all.filter(({ role }) => role !== "member");
          if (own.length === 0) return <AskAnAdmin organizations={all} action={many ? create : undefined} />;
          const first = [wanted, last].find((id) => own.some((each) => each.id === id));
          return (
            <>
              <p className={classes.lead}>
                A project holds the errors of one application. It gets its own key, which the application sends with
                every event.
              </p>
              <NewProjectForm organizations={own} first={first} />
            </>
          );
        }}
      </Answer>
    </Page>
  );
}
