import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { createRunner, refreshAutomate } from "../../api/automation-queries.ts";
import type { CreatedRunner } from "../../api/schema.d.ts";
import { useOrigin } from "../../first-steps/use-origin.ts";
import { useForm } from "../../ui/form.ts";
import { required } from "../../ui/rules.ts";
import { DialogForm } from "../../ui/settings/DialogForm.tsx";
import { Snippet } from "../../ui/Snippet.tsx";
import { NewSecret } from "../../ui/settings/NewSecret.tsx";
import { SecretDialog } from "../../ui/settings/SecretDialog.tsx";
import classes from "../../ui/settings/Settings.module.css";
import { Tags } from "../../ui/Tags.tsx";

/** What starts a runner. The token is in the environment: everybody on a machine can read command lines. */
const startCommand = (origin: string, token: string): string =>
  `export MAYDAY_RUNNER_TOKEN=${token}\nmayday runner --url ${origin} --agent claude-code`;

interface Props {
  organization: number;
  opened: boolean;
  close: () => void;
}

/** Creates a runner, then shows its token once, with the command that starts it. */
export function NewRunner({ organization, opened, close }: Props) {
  return (
    <SecretDialog<CreatedRunner>
      opened={opened}
      close={close}
      title={(made) => (made ? "Start your runner" : "New runner")}
      form={(setMade, leave) => <Form organization={organization} made={setMade} cancel={leave} />}
      view={(made, leave) => <Start made={made} close={leave} />}
    />
  );
}

function Start({ made: { token }, close }: { made: CreatedRunner; close: () => void }) {
  const origin = useOrigin();
  return (
    <NewSecret
      label="Token of the runner"
      secret={token}
      close={close}
      lost="The token cannot be shown again. If you have not copied it, delete the runner and create another."
    >
      <p className={classes.lead}>On the machine where agents are to work, with git and the agent installed:</p>
      <Snippet label="Command that starts the runner" text={startCommand(origin, token)} />
      <p className={classes.lead}>
        It clones with the git credentials of the account it runs as. Give it an account of its own, or a container with{" "}
        <code>--isolation</code>: an agent can do whatever that account can.
      </p>
    </NewSecret>
  );
}

function Form({
  organization,
  made,
  cancel,
}: {
  organization: number;
  made: (runner: CreatedRunner) => void;
  cancel: () => void;
}) {
  const cache = useQueryClient();
  const form = useForm({
    initialValues: { name: "", labels: [] as string[] },
    validate: { name: (name: string) => required(name) },
    send: async ({ name, labels }) => {
      made(await createRunner(organization, name.trim(), labels));
      void refreshAutomate(cache, organization);
    },
  });
  return (
    <DialogForm form={form} cancel={cancel} label="Create runner" doing="Creating…">
      <TextInput
        {...form.field("name")}
        label="Name"
        description="Of the machine, so that you recognize it"
        maxLength={128}
        autoComplete="off"
        data-autofocus
      />
      <Tags
        {...form.field("labels")}
        label="Labels (optional)"
        description="An automation may ask for a runner with some of these, such as gpu or linux"
      />
    </DialogForm>
  );
}
