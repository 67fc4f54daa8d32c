import { Modal, Textarea, TextInput } from "@mantine/core";
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

/** A repository's settings for agents: what they may reach, and how their work is tested. */
export function ForAgents({ organization, of, close }: Props) {
  return (
    <Modal opened onClose={close} title={`Agents in ${oneLine(of.host_repo_name)}`} size="lg">
      <Form organization={organization} of={of} close={close} />
    </Modal>
  );
}

function Form({ organization, of, close }: Props) {
  const cache = useQueryClient();
  const form = useForm({
    initialValues: {
      allowedHosts: of.allowed_hosts.join("\n"),
      allowedFiles: of.allowed_files.join("\n"),
      setupCommand: of.setup_command ?? "",
      testCommand: of.test_command ?? "",
      testReport: of.test_report ?? "",
    },
    send: async ({ allowedHosts, allowedFiles, ...commands }) => {
      const hosts = allowedHosts.split(/[\s,]+/).filter(Boolean);
      const files = allowedFiles.split(/[\n,]+/).filter((file) => file.trim() !== "");
      await updateRepository(organization, of.id, { allowedHosts: hosts, allowedFiles: files, ...commands });
      await refreshAutomate(cache, organization);
      done("Saved");
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
        minRows={3}
        maxRows={12}
        spellCheck={false}
        autoComplete="off"
        data-autofocus
      />
      <Textarea
        {...form.field("allowedFiles")}
        label="Manifests and lock files (optional)"
        description="One a line: a name at any depth, or a path. Changes of these are pushed without a person having looked; all others are held back."
        placeholder={"package-lock.json\nweb/package.json"}
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={false}
        autoComplete="off"
      />
      <TextInput
        {...form.field("setupCommand")}
        label="Set-up command (optional)"
        description="Makes a fresh checkout ready for an agent and for its tests: what lock files name is installed, and kept for later sessions"
        placeholder="npm ci"
        maxLength={2_000}
        spellCheck={false}
        autoComplete="off"
      />
      <TextInput
        {...form.field("testCommand")}
        label="Test command (optional)"
        description="What an agent did is pushed by itself only if this passes with it, and a test that came with it fails without it"
        placeholder="npm test"
        maxLength={2_000}
        spellCheck={false}
        autoComplete="off"
      />
      <TextInput
        {...form.field("testReport")}
        label="Test report (optional)"
        description="Where the test command writes JUnit XML: a path, or a pattern with *, ? and **. With it single tests are compared, so that one that fails already holds nothing back. What is there is removed before the tests run."
        placeholder="build/test-results/**/*.xml"
        maxLength={500}
        spellCheck={false}
        autoComplete="off"
      />
    </DialogForm>
  );
}
