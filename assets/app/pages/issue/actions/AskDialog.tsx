import { Autocomplete, type AutocompleteProps, Modal, NumberInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { newestReleasesQuery } from "../../../api/release-queries.ts";
import { useForm } from "../../../ui/form.ts";
import { MomentField } from "../../../ui/MomentField.tsx";
import { DialogForm } from "../../../ui/settings/DialogForm.tsx";
import { type Question, asChange, moreMax, untilWords, valueProblem } from "./question.ts";
import type { DoChange } from "./use-change.ts";

const words: Record<Question, { title: string; label: string; action: string }> = {
  version: { title: "Resolve in a specific version", label: "Version", action: "Resolve" },
  until: { title: "Ignore until a date and time", label: "Date and time", action: "Ignore" },
  events: {
    title: "Ignore until more events",
    label: "Additional events before it reopens",
    action: "Ignore",
  },
  users: {
    title: "Ignore until more users",
    label: "Additional users before it reopens",
    action: "Ignore",
  },
};

interface AskProps {
  close: () => void;
  project: number;
  change: DoChange;
}

interface Props extends AskProps {
  question: Question | undefined;
  /** Called once it is closed. */
  closed: () => void;
}

/** Asks for the value that a way of resolving or ignoring needs. */
export function AskDialog({ question, close, closed, project, change }: Props) {
  return (
    <Modal
      opened={question !== undefined}
      onClose={close}
      onExitTransitionEnd={closed}
      title={question ? words[question].title : ""}
    >
      {question && <Ask question={question} close={close} project={project} change={change} key={question} />}
    </Modal>
  );
}

function Ask({ question, close, project, change }: AskProps & { question: Question }) {
  const { label, action } = words[question];
  const form = useForm({
    initialValues: { value: "" as string | number },
    validate: { value: (value) => valueProblem(question, String(value), Date.now()) },
    send: async ({ value }) => {
      change(asChange(question, String(value), Date.now()));
      close();
    },
  });
  const field = { ...form.field("value"), label, "data-autofocus": true };
  return (
    <DialogForm form={form} cancel={close} label={action} doing={`${action}…`}>
      {question === "version" && <Version project={project} {...field} />}
      {question === "until" && (
        <MomentField description={untilWords(String(form.values.value), Date.now())} {...field} />
      )}
      {(question === "events" || question === "users") && (
        // What is out of bounds stays as it was typed, beside the words about it.
        <NumberInput min={1} max={moreMax} clampBehavior="none" allowDecimal={false} thousandSeparator="," {...field} />
      )}
    </DialogForm>
  );
}

function Version({ project, ...field }: { project: number } & AutocompleteProps) {
  const versions = useQuery(newestReleasesQuery(project));
  return <Autocomplete data={versions.data ?? []} spellCheck={false} {...field} />;
}
