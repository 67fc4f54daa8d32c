import { Modal, Select, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createTicket, destinationsQuery, shareIssue, ticketsQuery } from "../../../api/connection-queries.ts";
import { messageOf } from "../../../api/error.ts";
import type { Connection } from "../../../api/schema.d.ts";
import { useForm } from "../../../ui/form.ts";
import { done } from "../../../ui/notify.ts";
import { DialogForm } from "../../../ui/settings/DialogForm.tsx";
import { oneLine } from "../../../ui/visible.ts";

interface Props {
  organization: number;
  project: number;
  issue: number;
  /** At least one. */
  connections: Connection[];
  close: () => void;
}

/** Makes a ticket from an issue, or shares it in a chat. */
export default function TicketDialog(props: Props) {
  return (
    <Modal
      opened
      onClose={props.close}
      title={props.connections.some(isTracker) ? "Create ticket" : "Share issue"}
      size="lg"
    >
      <Form {...props} />
    </Modal>
  );
}

const isTracker = ({ kind }: Connection): boolean => kind !== "slack";

function Form({ organization, project, issue, connections, close }: Props) {
  const cache = useQueryClient();
  const first = connections.find(isTracker) ?? connections[0];
  const form = useForm({
    initialValues: {
      connection: first?.id ?? "",
      destination: (first?.destination?.id ?? null) as string | null,
      title: "",
      note: "",
    },
    validate: { destination: (place: string | null) => (place === null ? "Choose where it goes." : undefined) },
    send: async ({ connection, destination, title, note }) => {
      const known = [...(places.data?.destinations ?? []), ...(chosen?.destination ? [chosen.destination] : [])];
      const place = known.find(({ id }) => id === destination);
      const given = { connection_id: connection, ...(place && { destination: place }) };
      if (isChat) {
        await shareIssue(project, issue, given);
        done("Shared");
      } else {
        const more = { ...(title.trim() !== "" && { title }), ...(note.trim() !== "" && { note }) };
        await createTicket(project, issue, { ...given, ...more });
        await cache.invalidateQueries({ queryKey: ticketsQuery(project, issue).queryKey });
      }
      close();
    },
  });
  const { connection } = form.values;
  const chosen = connections.find(({ id }) => id === connection);
  const isChat = chosen?.kind === "slack";
  const places = useQuery(destinationsQuery(organization, connection));
  const options = (places.data?.destinations ?? (chosen?.destination ? [chosen.destination] : [])).map(
    ({ id, name }) => ({ value: id, label: name }),
  );
  const field = form.field("connection");
  return (
    <DialogForm
      form={form}
      cancel={close}
      label={isChat ? "Share" : "Create ticket"}
      doing={isChat ? "Sharing…" : "Creating…"}
      error={form.failure}
    >
      <Select
        {...field}
        size="sm"
        label="Service"
        data={connections.map(({ id, display_name }) => ({ value: id, label: oneLine(display_name) }))}
        allowDeselect={false}
        onChange={(id) => {
          if (id === null) return;
          const next = connections.find((each) => each.id === id);
          form.setValues({ connection: id, destination: next?.destination?.id ?? null });
        }}
      />
      <Select
        {...form.field("destination")}
        size="sm"
        label={isChat ? "Channel" : "Where"}
        description={places.error ? `The places cannot be listed: ${messageOf(places.error)}` : undefined}
        placeholder={places.isPending ? "Loading…" : "Choose"}
        data={options}
        searchable
      />
      {!isChat && (
        <>
          <TextInput
            {...form.field("title")}
            label="Title (optional)"
            placeholder="The short ID and title of the issue"
            maxLength={250}
            autoComplete="off"
          />
          <Textarea
            {...form.field("note")}
            label="Note (optional)"
            description="Comes before what Mayday knows of the issue and the link to it"
            autosize
            minRows={3}
            maxRows={10}
            maxLength={10_000}
          />
        </>
      )}
    </DialogForm>
  );
}
