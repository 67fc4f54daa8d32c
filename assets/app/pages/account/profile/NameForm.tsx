import { Button, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Account, rename } from "../../../api/people.ts";
import { meQuery } from "../../../api/queries.ts";
import { Alarm } from "../../../ui/Alarm.tsx";
import { useForm } from "../../../ui/form.ts";
import { done } from "../../../ui/notify.tsx";
import { found, nameProblem } from "../../../ui/rules.ts";
import { LeaveGuard } from "../../../ui/LeaveGuard.tsx";
import classes from "../../../ui/settings/Settings.module.css";

/** What others see beside what the person does. */
export function NameForm({ account }: { account: Account }) {
  const cache = useQueryClient();
  const [draft, setDraft] = useState<string>();
  const name = (draft ?? account.name).trim();
  const changed = name !== account.name;
  const form = useForm({
    fields: ["name"] as const,
    check: () => found({ name: name === "" ? "Enter a name." : nameProblem(name) }),
    send: async () => {
      if (!changed) return;
      await rename(name);
      await cache.invalidateQueries({ queryKey: meQuery.queryKey });
      setDraft(undefined);
      done("Saved");
    },
  });
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} className={classes.form} noValidate>
      <TextInput
        name="name"
        label="Name"
        description="Shown to others beside what you do"
        autoComplete="name"
        value={draft ?? account.name}
        error={form.problems.name}
        onChange={(event) => {
          setDraft(event.currentTarget.value);
          form.changed("name");
        }}
      />
      <Alarm error={form.failure} />
      <div className={classes.save}>
        <Button type="submit" disabled={!changed} loading={form.busy}>
          Save
        </Button>
        {changed && !form.busy && (
          <Button variant="subtle" color="gray" onClick={() => setDraft(undefined)}>
            Discard
          </Button>
        )}
      </div>
      <LeaveGuard when={changed} title="Leave without saving?">
        The changed name would be lost.
      </LeaveGuard>
    </form>
  );
}
