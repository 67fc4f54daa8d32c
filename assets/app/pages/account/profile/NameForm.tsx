import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type Account, rename } from "../../../api/people.ts";
import { meQuery } from "../../../api/queries.ts";
import { useRecordForm } from "../../../ui/form.ts";
import { done } from "../../../ui/notify.ts";
import { nameProblem, required } from "../../../ui/rules.ts";
import { LeaveGuard } from "../../../ui/LeaveGuard.tsx";
import { SaveBar } from "../../../ui/settings/SaveBar.tsx";
import classes from "../../../ui/settings/Settings.module.css";

/** The form for the name that others see. */
export function NameForm({ account }: { account: Account }) {
  const cache = useQueryClient();
  const form = useRecordForm({
    initialValues: { name: account.name },
    validate: { name: (name) => required(name) ?? nameProblem(name.trim()) },
    send: async ({ name }) => {
      await rename(name.trim());
      form.setValues({ name: name.trim() });
      form.resetDirty({ name: name.trim() });
      await cache.invalidateQueries({ queryKey: meQuery.queryKey });
      done("Saved");
    },
  });
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} className={classes.form} noValidate>
      <TextInput
        {...form.field("name")}
        label="Name"
        description="Shown beside your comments and changes"
        autoComplete="name"
      />
      <SaveBar form={form} />
      <LeaveGuard when={() => form.isDirty()} title="Leave without saving?">
        Your change to the name will be lost.
      </LeaveGuard>
    </form>
  );
}
