import { Modal, Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { attachTicket, ticketsQuery } from "../../../api/connection-queries.ts";
import type { Connection } from "../../../api/schema.d.ts";
import { useForm } from "../../../ui/form.ts";
import { DialogForm } from "../../../ui/settings/DialogForm.tsx";
import { oneLine } from "../../../ui/visible.ts";

interface Props {
  project: number;
  issue: number;
  /** To trackers; at least one. */
  trackers: Connection[];
  close: () => void;
}

const examples: Partial<Record<Connection["kind"], string>> = {
  github: "acme/shop#42",
  gitlab: "acme/shop#42",
  gitea: "acme/shop#42",
  linear: "ENG-42",
  jira: "SHOP-42",
};

/** Attaches a ticket that the tracker has to an issue. */
export default function AttachDialog(props: Props) {
  return (
    <Modal opened onClose={props.close} title="Attach ticket" size="lg">
      <Form {...props} />
    </Modal>
  );
}

function Form({ project, issue, trackers, close }: Props) {
  const cache = useQueryClient();
  const form = useForm({
    initialValues: { connection: trackers[0]?.id ?? "", reference: "" },
    validate: {
      reference: (reference: string) => (reference.trim() === "" ? "Enter the ticket's address or key." : undefined),
    },
    send: async ({ connection, reference }) => {
      await attachTicket(project, issue, { connection_id: connection, reference: reference.trim() });
      await cache.invalidateQueries({ queryKey: ticketsQuery(project, issue).queryKey });
      close();
    },
  });
  const kind = trackers.find(({ id }) => id === form.values.connection)?.kind ?? "github";
  return (
    <DialogForm form={form} cancel={close} label="Attach" doing="Attaching…" error={form.failure}>
      <Select
        {...form.field("connection")}
        size="sm"
        label="Service"
        data={trackers.map(({ id, display_name }) => ({ value: id, label: oneLine(display_name) }))}
        allowDeselect={false}
        onChange={(id) => id !== null && form.setValues({ connection: id })}
      />
      <TextInput
        {...form.field("reference")}
        label="Ticket"
        description={`Its address, or its key, such as ${examples[kind]}`}
        maxLength={2_048}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </DialogForm>
  );
}
