import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { Alarm } from "../Alarm.tsx";
import { BusyButton } from "../BusyButton.tsx";
import type { Form } from "../form.ts";
import keyClasses from "./Keys.module.css";
import classes from "./Settings.module.css";
import { refusal } from "./refusal.ts";

interface Props {
  form: Pick<Form<Record<string, unknown>>, "ref" | "onSubmit" | "busy" | "failure">;
  cancel: () => void;
  /** On the button that sends it: `Create key`. */
  label: string;
  /** On that button meanwhile: `Creating…`. */
  doing: string;
  /** The error to show, if it differs from the form's failure and who can help. */
  error?: unknown;
  /** A button before the others. */
  before?: ReactNode;
  children: ReactNode;
}

/** The form in a dialog: fields, an error message, and buttons to cancel and to send. */
export function DialogForm({ form, cancel, label, doing, error, before, children }: Props) {
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} className={`${keyClasses.form} ${classes.fields}`} noValidate>
      {children}
      <Alarm error={error ?? (form.failure && refusal(form.failure))} />
      <Group justify="flex-end" className="dialog-foot">
        {before}
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <BusyButton type="submit" busy={form.busy} label={label} doing={doing} />
      </Group>
    </form>
  );
}
