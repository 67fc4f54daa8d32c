import { Checkbox, Radio, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { createKey, keysQuery } from "../../api/project-queries.ts";
import type { CreatedKey, Scope } from "../../api/schema.d.ts";
import { useForm } from "../../ui/form.ts";
import { keyNameProblem } from "../../ui/rules.ts";
import { DialogForm } from "../../ui/settings/DialogForm.tsx";
import keyClasses from "../../ui/settings/Keys.module.css";
import { environmentProblem, isPublic, type Kind, kindNames, kinds, scopeNames, scopes } from "./key-kinds.ts";
import { CreatedKeyView } from "./CreatedKeyView.tsx";
import { SecretDialog } from "../../ui/settings/SecretDialog.tsx";

interface Props {
  project: number;
  opened: boolean;
  close: () => void;
}

/** Creates a key, then shows it. */
export function NewKey({ project, opened, close }: Props) {
  return (
    <SecretDialog<CreatedKey>
      opened={opened}
      close={close}
      isOnce={(made) => !isPublic(made)}
      title={(made) => (made === undefined ? "New key" : isPublic(made) ? "Your new key" : "Copy your new key")}
      form={(setMade, leave) => <Form project={project} made={setMade} cancel={leave} />}
      view={(made, leave) => <CreatedKeyView project={project} made={made} close={leave} />}
    />
  );
}

function Form({ project, made, cancel }: { project: number; made: (key: CreatedKey) => void; cancel: () => void }) {
  const cache = useQueryClient();
  const form = useForm({
    initialValues: {
      kind: "browser" as Kind,
      scopes: ["ingest"] as Scope[],
      name: kinds.browser.name as string,
      environment: "",
    },
    validate: {
      scopes: (own, { kind }) => (kind === "custom" && own.length === 0 ? "Choose at least one." : undefined),
      name: keyNameProblem,
      environment: (environment) => environmentProblem(environment),
    },
    send: async ({ kind, scopes: own, name, environment }) => {
      const chosen: Scope[] = kind === "custom" ? own : [...kinds[kind].scopes];
      made(await createKey(project, { name: name.trim(), scopes: chosen, environment: environment || null }));
      void cache.invalidateQueries({ queryKey: keysQuery(project).queryKey });
    },
  });
  const { kind } = form.values;
  const choose = (next: Kind) => {
    // A name that somebody has typed stays.
    if (form.values.name === kinds[kind].name) form.setFieldValue("name", kinds[next].name);
    form.setFieldValue("kind", next);
  };
  return (
    <DialogForm form={form} cancel={cancel} label="Create key" doing="Creating…">
      <Radio.Group label="What is it for?" value={kind} onChange={(value) => choose(value as Kind)}>
        <div className={keyClasses.choices}>
          {kindNames.map((each) => (
            <Radio key={each} value={each} size="xs" label={kinds[each].word} description={kinds[each].about} />
          ))}
        </div>
      </Radio.Group>
      {kind === "custom" && (
        <Checkbox.Group {...form.field("scopes")} label="Permissions">
          <div className={keyClasses.choices}>
            {scopeNames.map((scope) => (
              <Checkbox
                key={scope}
                value={scope}
                size="xs"
                label={scopes[scope].word}
                description={scopes[scope].about}
              />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <TextInput
        {...form.field("name")}
        label="Name"
        description="Where it is used, so that you know which one to revoke if it leaks"
        maxLength={128}
        data-autofocus
      />
      <TextInput
        {...form.field("environment")}
        label="Environment (optional)"
        description="Becomes part of the key, as in pk_production_…, so that you can tell keys apart"
        placeholder="production"
        onChange={(event) => form.setFieldValue("environment", event.currentTarget.value.trim())}
        spellCheck={false}
        autoComplete="off"
      />
    </DialogForm>
  );
}
