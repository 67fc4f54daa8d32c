import { Modal, PasswordInput, Select, Switch, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { messageOf } from "../../../api/error.ts";
import { changeConnection, destinationsQuery, refreshConnections } from "../../../api/connection-queries.ts";
import type { Connection, OnResolve } from "../../../api/schema.d.ts";
import { useForm } from "../../../ui/form.ts";
import { done } from "../../../ui/notify.ts";
import { DialogForm } from "../../../ui/settings/DialogForm.tsx";
import { resolveNames, tokens } from "./words.ts";

interface Props {
  organization: number;
  connection: Connection;
  close: () => void;
}

const onResolve = Object.entries(resolveNames).map(([value, label]) => ({ value, label }));

/** Edits a connection's name, its default destination, and how it treats tickets. */
export function EditConnection({ organization, connection, close }: Props) {
  return (
    <Modal opened onClose={close} title="Edit connection" size="lg">
      <Form organization={organization} connection={connection} close={close} />
    </Modal>
  );
}

function Form({ organization, connection, close }: Props) {
  const cache = useQueryClient();
  const places = useQuery(destinationsQuery(organization, connection.id));
  const { kind, destination } = connection;
  const form = useForm({
    initialValues: {
      name: connection.display_name,
      destination: destination?.id ?? null,
      on_resolve: connection.on_resolve as string,
      issues_follow: connection.issues_follow,
      token: "",
    },
    validate: { name: (name: string) => (name.trim() === "" ? "Enter a name." : undefined) },
    send: async (values) => {
      const known = [...(places.data?.destinations ?? []), ...(destination ? [destination] : [])];
      const chosen = known.find(({ id }) => id === values.destination) ?? null;
      await changeConnection(organization, connection.id, {
        display_name: values.name.trim(),
        destination: chosen,
        on_resolve: values.on_resolve as OnResolve,
        issues_follow: values.issues_follow,
        ...(values.token.trim() !== "" && { token: values.token.trim() }),
      });
      await refreshConnections(cache, organization);
      done("Connection saved");
      close();
    },
  });
  const options = (places.data?.destinations ?? (destination ? [destination] : [])).map(({ id, name }) => ({
    value: id,
    label: name,
  }));
  return (
    <DialogForm form={form} cancel={close} label="Save" doing="Saving…">
      <TextInput {...form.field("name")} label="Name" maxLength={128} data-autofocus autoComplete="off" />
      <Select
        {...form.field("destination")}
        size="sm"
        label={kind === "slack" ? "Usual channel" : "Usual place for tickets"}
        description={
          places.error ? `The places cannot be listed: ${messageOf(places.error)}` : "People can choose another one"
        }
        placeholder={places.isPending ? "Loading…" : "They choose each time"}
        data={options}
        searchable
        clearable
      />
      {kind !== "slack" && (
        <>
          <Select
            {...form.field("on_resolve")}
            size="sm"
            label="When an issue is resolved"
            data={onResolve}
            allowDeselect={false}
          />
          <Switch
            {...form.field("issues_follow", { type: "checkbox" })}
            label="Issues follow their tickets"
            description="The last open one closed there resolves the issue; one opened again there reopens it"
          />
        </>
      )}
      {kind !== "github" && (
        <PasswordInput
          {...form.field("token")}
          label={`New ${tokens[kind].label} (optional)`}
          description="Replaces the former one, after a check"
          autoComplete="off"
        />
      )}
    </DialogForm>
  );
}
