import { Button } from "@mantine/core";
import { Alarm } from "../Alarm.tsx";
import { BusyButton } from "../BusyButton.tsx";
import classes from "./Settings.module.css";

interface Props {
  form: { isDirty: () => boolean; busy: boolean; failure: unknown; discard: () => void };
  /** The error to show, if it says more than the form's failure. */
  problem?: unknown;
}

/** Buttons that save the edits in a form, or discard them. */
export function SaveBar({ form, problem = form.failure }: Props) {
  const edited = form.isDirty();
  return (
    <div>
      <div className={classes.save}>
        <BusyButton type="submit" disabled={!edited} busy={form.busy} label="Save" doing="Saving…" />
        {edited && !form.busy && (
          <Button variant="subtle" color="gray" onClick={form.discard}>
            Discard
          </Button>
        )}
      </div>
      <Alarm error={problem} />
    </div>
  );
}
