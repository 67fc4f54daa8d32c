import { Radio, Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { createToken, tokensQuery } from "../../../api/people.ts";
import type { CreatedPersonalToken, TokenScope } from "../../../api/schema.d.ts";
import { useOrigin } from "../../../first-steps/use-origin.ts";
import { useForm } from "../../../ui/form.ts";
import { keyNameProblem } from "../../../ui/rules.ts";
import { DialogForm } from "../../../ui/settings/DialogForm.tsx";
import { NewSecret } from "../../../ui/settings/NewSecret.tsx";
import keyClasses from "../../../ui/settings/Keys.module.css";
import classes from "../../../ui/settings/Settings.module.css";
import { lifetimes, scopeNames, scopeWords } from "./words.ts";
import { SecretDialog } from "../../../ui/settings/SecretDialog.tsx";
import { Snippet } from "../../../ui/Snippet.tsx";
import { mcpCommand } from "./mcp-command.ts";

/** Creates a token, then shows it once. */
export function NewToken({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <SecretDialog<CreatedPersonalToken>
      opened={opened}
      close={close}
      title={(made) => (made ? "Copy your new token" : "New access token")}
      form={(setMade, leave) => <Form made={setMade} cancel={leave} />}
      view={(made, leave) => <TokenSecret token={made.token} close={leave} />}
    />
  );
}

function TokenSecret({ token, close }: { token: string; close: () => void }) {
  const origin = useOrigin();
  return (
    <NewSecret
      label="New token"
      secret={token}
      close={close}
      lost="The token cannot be shown again. If you have not copied it, you will have to revoke it and create another."
    >
      <p className={classes.lead}>
        Send it as <code>Authorization: Bearer</code>. Anyone who has it can act as you.
      </p>
      <p className={classes.lead}>To let Claude Code look up issues and logs by MCP:</p>
      <Snippet label="Command that connects Claude Code" text={mcpCommand(origin, token)} />
    </NewSecret>
  );
}

function Form({ made, cancel }: { made: (token: CreatedPersonalToken) => void; cancel: () => void }) {
  const cache = useQueryClient();
  const form = useForm({
    initialValues: { name: "", scopes: "read" as TokenScope, expires_in_days: "90" },
    validate: { name: keyNameProblem },
    send: async ({ name, scopes, expires_in_days: days }) => {
      made(
        await createToken({ name: name.trim(), scopes: [scopes], expires_in_days: days === "" ? null : Number(days) }),
      );
      void cache.invalidateQueries({ queryKey: tokensQuery.queryKey });
    },
  });
  return (
    <DialogForm form={form} cancel={cancel} label="Create token" doing="Creating…" error={form.failure}>
      <TextInput
        {...form.field("name")}
        label="Name"
        description="Where it is used, so that you know which one to revoke if it leaks"
        autoComplete="off"
        data-autofocus
      />
      <Radio.Group {...form.field("scopes")} label="Permissions">
        <div className={keyClasses.choices}>
          {scopeNames.map((each) => (
            <Radio
              key={each}
              value={each}
              size="xs"
              label={scopeWords[each].word}
              description={scopeWords[each].about}
            />
          ))}
        </div>
      </Radio.Group>
      <Select
        {...form.field("expires_in_days")}
        label="Expires"
        size="sm"
        data={[...lifetimes]}
        allowDeselect={false}
        comboboxProps={{ withinPortal: true }}
      />
    </DialogForm>
  );
}
