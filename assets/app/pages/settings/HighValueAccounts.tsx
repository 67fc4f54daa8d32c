import { Switch } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useRights } from "../../api/role.ts";
import type { Project } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { useRecordForm } from "../../ui/form.ts";
import { LeaveGuard } from "../../ui/LeaveGuard.tsx";
import { OnlyAdmins } from "../../ui/settings/OnlyAdmins.tsx";
import classes from "../../ui/settings/Settings.module.css";
import { Tags } from "../../ui/Tags.tsx";
import { accounts, choice, patternProblem, problem, tagProblem } from "./high-value.ts";
import { ProjectSaveBar } from "./ProjectSaveBar.tsx";
import { useSave } from "./use-save.ts";

/** The settings for high-value accounts. */
export function HighValueAccounts({ project }: { project: Project }) {
  const { mayAdminister } = useRights(project.id);
  const save = useSave(project.id);
  const form = useRecordForm({
    initialValues: choice(project.settings.high_value),
    validate: {
      ids: (ids) => problem(ids, 200),
      patterns: (patterns) => patternProblem(patterns, 50),
      tags: (tags) => tagProblem(tags, 20),
    },
    validateInputOnChange: ["ids", "patterns", "tags"],
    send: async (values) => {
      await save({ settings: { high_value: accounts(values) } });
      form.resetDirty(values);
    },
  });
  const common = { readOnly: !mayAdminister };
  return (
    <>
      <h2>High-value accounts</h2>
      <p className={classes.lead}>
        The first event of one of these accounts marks an issue as{" "}
        <Link to={paths.issues(project.id)} search={{ query: "is:high-value" }}>
          high-value
        </Link>{" "}
        and notifies the members of the organization. Events name their account in the field <code>account</code>.
        Changes apply to new events.
      </p>
      <OnlyAdmins project={project.id} what="Changing these settings" />
      <form ref={form.ref} className={classes.form} onSubmit={form.onSubmit} noValidate>
        <Tags
          {...form.field("ids")}
          {...common}
          label="IDs of accounts"
          description="Up to 200, exactly as events send them. Press Enter to add one."
          placeholder={mayAdminister ? "acct-42" : ""}
          onChange={(ids) => form.setFieldValue("ids", ids)}
          splitChars={[",", "\n"]}
        />
        <Tags
          {...form.field("patterns")}
          {...common}
          label="Names of accounts"
          description="Up to 50. * stands for any text; case does not matter."
          placeholder={mayAdminister ? "Acme*" : ""}
          onChange={(patterns) => form.setFieldValue("patterns", patterns)}
          splitChars={["\n"]}
        />
        <Tags
          {...form.field("tags")}
          {...common}
          label="Tags of events"
          description="Up to 20, for applications that know which of their customers matter."
          placeholder={mayAdminister ? "plan=enterprise" : ""}
          onChange={(tags) => form.setFieldValue("tags", tags)}
          splitChars={["\n"]}
        />
        <fieldset className={classes.switches} disabled={!mayAdminister}>
          <legend>By number of events</legend>
          <Switch
            {...form.field("busiest", { type: "checkbox" })}
            label="The ten busiest accounts"
            description="Those with most events in the last 30 days, once there are at least 20 accounts"
          />
        </fieldset>
        {mayAdminister && <ProjectSaveBar project={project.id} form={form} />}
      </form>
      <LeaveGuard when={() => form.isDirty()} title="Leave without saving?">
        Your changes to high-value accounts will be lost.
      </LeaveGuard>
    </>
  );
}
