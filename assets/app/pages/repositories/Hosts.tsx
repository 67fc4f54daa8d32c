import { Modal, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { refreshAutomate, updateRepository } from "../../api/automation-queries.ts";
import type { Repository } from "../../api/schema.d.ts";
import { useForm } from "../../ui/form.ts";
import { done } from "../../ui/notify.ts";
import { DialogForm } from "../../ui/settings/DialogForm.tsx";
import { oneLine } from "../../ui/visible.ts";

interface Props {
  organization: number;
  of: Repository;
  close: () => void;
}

/** Says which hosts agents in a room may reach while they work in a repository. */
export function Hosts({ organization, of, close }: Props) {
  return (
    <Modal opened onClose={close} title={`Hosts for agents in ${oneLine(of.host_repo_name)}`} size="lg">
      <Form organization={organization} of={of} close={close} />
    </Modal>
  );
}

function Form({ organization, of, close }: Props) {
  const cache = useQueryClient();
  const form = useForm({
    initialValues: { allowedHosts: of.allowed_hosts.join("\n") },
    send: async ({ allowedHosts }) => {
      await updateRepository(organization, of.id, { allowedHosts: allowedHosts.split(/[\s,]+/).filter(Boolean) });
      await refreshAutomate(cache, organization);
      done("Hosts saved");
      close();
    },
  });
  return (
    <DialogForm form={form} cancel={close} label="Save" doing="Saving…">
      <Textarea
        {...form.field("allowedHosts")}
        label="Hosts"
        description="One a line: a name, or *.example.com for all names below one. Agents in a sandbox reach these by https, and nothing else but their model."
        placeholder={"registry.npmjs.org\n*.crates.io"}
        autosize
        minRows={4}
        maxRows={12}
        spellCheck={false}
        autoComplete="off"
        data-autofocus
      />
    </DialogForm>
  );
}
