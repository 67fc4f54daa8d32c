import { MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { repositoriesQuery } from "../../api/automation-queries.ts";
import { useRights } from "../../api/role.ts";
import type { Project, Repository } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { FormBones } from "../../ui/Bones.tsx";
import { useRecordForm } from "../../ui/form.ts";
import { LeaveGuard } from "../../ui/LeaveGuard.tsx";
import { Answer, Empty } from "../../ui/States.tsx";
import { OnlyAdmins } from "../../ui/settings/OnlyAdmins.tsx";
import classes from "../../ui/settings/Settings.module.css";
import { ProjectSaveBar } from "./ProjectSaveBar.tsx";
import { useSave } from "./use-save.ts";

/** Repositories of a project, at most. */
const most = 20;

/** The repositories that a project's code is in. */
export function Repositories({ project }: { project: Project }) {
  const { organization } = useRights(project.id);
  const repositories = useQuery({
    ...repositoriesQuery(organization?.id ?? 0),
    enabled: organization !== undefined,
  });
  return (
    <>
      <h2>Repositories</h2>
      <p className={classes.lead}>
        Where this project’s code is. An agent that looks at one of its issues works in the first of them, unless its
        automation names another.
      </p>
      <OnlyAdmins project={project.id} what="Changing this" />
      <Answer query={repositories} what="The repositories" bones={<FormBones fields={1} />}>
        {(all) =>
          all.length === 0 ? (
            <Empty
              title="No repositories yet"
              action={organization && <Link to={paths.repositories(organization.id)}>Add a repository</Link>}
            >
              <p>The organization has none to choose from.</p>
            </Empty>
          ) : (
            <Form project={project} all={all} />
          )
        }
      </Answer>
    </>
  );
}

function Form({ project, all }: { project: Project; all: Repository[] }) {
  const { mayAdminister, organization } = useRights(project.id);
  const save = useSave(project.id);
  const form = useRecordForm({
    initialValues: { repositories: project.repositories as string[] },
    send: async ({ repositories }) => {
      await save({ repositories });
      form.resetDirty({ repositories });
    },
  });
  return (
    <>
      <form ref={form.ref} className={`${classes.form} ${classes.fields}`} onSubmit={form.onSubmit} noValidate>
        <MultiSelect
          {...form.field("repositories")}
          label="Repositories of this project"
          description="Agents work in the first"
          data={all.map(({ id, host_repo_name }) => ({ value: id, label: host_repo_name }))}
          maxValues={most}
          searchable
          readOnly={!mayAdminister}
        />
        {mayAdminister && <ProjectSaveBar project={project.id} form={form} />}
      </form>
      {organization && (
        <p className={classes.lead}>
          <Link to={paths.repositories(organization.id)}>All repositories of the organization</Link>
        </p>
      )}
      <LeaveGuard when={() => form.isDirty()} title="Leave without saving?">
        Your changes to the repositories will be lost.
      </LeaveGuard>
    </>
  );
}
