import { Checkbox, Modal, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { createRepository, refreshAutomate } from "../../api/automation-queries.ts";
import { useForm } from "../../ui/form.ts";
import { done } from "../../ui/notify.ts";
import { DialogForm } from "../../ui/settings/DialogForm.tsx";
import { oneLine } from "../../ui/visible.ts";
import { nameIn } from "./address.ts";

interface Props {
  organization: number;
  opened: boolean;
  close: () => void;
}

/** Adds a repository. */
export function NewRepository({ organization, opened, close }: Props) {
  return (
    <Modal opened={opened} onClose={close} title="Add repository" size="lg">
      <Form organization={organization} close={close} />
    </Modal>
  );
}

function Form({ organization, close }: { organization: number; close: () => void }) {
  const cache = useQueryClient();
  const form = useForm({
    initialValues: { hostUrl: "", hostRepoName: "", defaultBranch: "main", isPrivate: true },
    validate: {
      hostUrl: (url: string) => (url.trim() === "" ? "Enter the address that git clones from." : undefined),
      hostRepoName: (name: string, { hostUrl }) =>
        name.trim() === "" && nameIn(hostUrl) === "" ? "Enter a name." : undefined,
    },
    send: async ({ hostUrl, hostRepoName, defaultBranch, isPrivate }) => {
      const url = hostUrl.trim();
      const name = hostRepoName.trim() || nameIn(url);
      const { existing } = await createRepository(organization, {
        hostRepoId: url,
        hostUrl: url,
        hostRepoName: name,
        isPrivate,
        ...(defaultBranch.trim() !== "" && { defaultBranch: defaultBranch.trim() }),
      });
      await refreshAutomate(cache, organization);
      done(existing ? `${oneLine(name)} was there already` : `Repository ${oneLine(name)} added`);
      close();
    },
  });
  return (
    <DialogForm form={form} cancel={close} label="Add repository" doing="Adding…">
      <TextInput
        {...form.field("hostUrl")}
        label="Clone address"
        description="Without user and password: runners use the git credentials of their machine"
        placeholder="https://github.com/acme/shop.git"
        maxLength={255}
        spellCheck={false}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        {...form.field("hostRepoName")}
        label="Name (optional)"
        placeholder={nameIn(form.values.hostUrl) || "acme/shop"}
        maxLength={255}
        spellCheck={false}
        autoComplete="off"
      />
      <TextInput
        {...form.field("defaultBranch")}
        label="Branch"
        description="Agents begin at its newest commit, on branches of their own"
        maxLength={255}
        spellCheck={false}
        autoComplete="off"
      />
      <Checkbox {...form.getInputProps("isPrivate", { type: "checkbox" })} label="Private" />
    </DialogForm>
  );
}
