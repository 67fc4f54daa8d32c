import { useQuery } from "@tanstack/react-query";
import { organizationsQuery, projectsQuery } from "../../api/queries.ts";
import { Page } from "../../ui/Page.tsx";
import { Answer } from "../../ui/states.tsx";
import { AskAnAdmin } from "./AskAnAdmin.tsx";
import { NewProjectForm } from "./NewProjectForm.tsx";
import classes from "./New.module.css";

/** Makes a project and its first key. */
export default function NewProjectPage() {
  const organizations = useQuery(organizationsQuery);
  const projects = useQuery(projectsQuery).data;
  return (
    <Page title={projects?.length === 0 ? "Your first project" : "New project"}>
      <Answer query={organizations} what="Your organizations" rows={4}>
        {(all) => {
          const own = all.filter(({ role }) => role !== "member");
          if (own.length === 0) return <AskAnAdmin organizations={all} />;
          return (
            <>
              <p className={classes.lead}>
                A project holds the errors of one application. It gets a key of its own, which its code sends along.
              </p>
              <NewProjectForm organizations={own} />
            </>
          );
        }}
      </Answer>
    </Page>
  );
}
