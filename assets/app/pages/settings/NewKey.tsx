import { Button, Checkbox, Group, Modal, Radio, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { createKey, keysQuery } from "../../api/project-queries.ts";
import type { CreatedKey, Scope } from "../../api/schema.d.ts";
import keyClasses from "../../ui/settings/Keys.module.css";
import { environmentProblem, isPublic, type Kind, kindNames, kinds, scopeNames, scopes } from "./key-kinds.ts";
import { KeptKey } from "./KeptKey.tsx";
import classes from "../../ui/settings/Settings.module.css";
import { fieldProblem, refusal } from "../../ui/settings/who.ts";

interface Props {
  project: number;
  opened: boolean;
  close: () => void;
}

/** Makes a key, then shows it. */
export function NewKey({ project, opened, close }: Props) {
  const [made, setMade] = useState<CreatedKey>();
  const leave = () => {
    setMade(undefined);
    close();
  };
  const once = made !== undefined && !isPublic(made);
  const title = once ? "Keep this key" : made ? "Your key" : "New key";
  // What is shown once is not closed by a stray key or click.
  const guard = once ? { closeOnEscape: false, closeOnClickOutside: false, withCloseButton: false } : {};
  return (
    <Modal
      opened={opened}
      onClose={leave}
      title={title}
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
      {...guard}
    >
      {made ? (
        <KeptKey project={project} made={made} close={leave} />
      ) : (
        <Form project={project} made={setMade} cancel={leave} />
      )}
    </Modal>
  );
}

function Form({ project, made, cancel }: { project: number; made: (key: CreatedKey) => void; cancel: () => void }) {
  const cache = useQueryClient();
  const [kind, setKind] = useState<Kind>("browser");
  const [own, setOwn] = useState<Scope[]>(["ingest"]);
  const [typed, setTyped] = useState<string>();
  const [environment, setEnvironment] = useState("");
  const name = (typed ?? kinds[kind].name).trim();
  const chosen: Scope[] = kind === "custom" ? own : [...kinds[kind].scopes];
  const wrong = environmentProblem(environment);
  const make = useMutation({
    mutationFn: () =>
      createKey(project, { name, scopes: chosen, environment: environment === "" ? null : environment }),
    // Never kept among the answers: it is shown once.
    gcTime: 0,
    onSuccess: (key) => {
      made(key);
      void cache.invalidateQueries({ queryKey: keysQuery(project).queryKey });
    },
  });
  const refused = fieldProblem(make.error, ["name", "environment", "scopes"]);
  const beside = (field: string) => (refused?.field === field ? refused.words : undefined);
  const ready = name !== "" && chosen.length > 0 && !wrong;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready && !make.isPending) make.mutate();
  };
  return (
    <form className={`${keyClasses.kept} ${classes.fields}`} onSubmit={submit}>
      <Radio.Group label="What it is for" value={kind} onChange={(value) => setKind(value as Kind)}>
        <div className={keyClasses.choices}>
          {kindNames.map((each) => (
            <Radio key={each} value={each} size="xs" label={kinds[each].word} description={kinds[each].about} />
          ))}
        </div>
      </Radio.Group>
      {kind === "custom" && (
        <Checkbox.Group
          label="What it may do"
          value={own}
          onChange={(value) => setOwn(value as Scope[])}
          error={own.length === 0 ? "At least one" : beside("scopes")}
        >
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
        label="Name"
        description="Where it will be used, so that it can be revoked when it leaks"
        value={typed ?? kinds[kind].name}
        maxLength={128}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={beside("name")}
        data-autofocus
      />
      <TextInput
        label="Environment (optional)"
        description="Becomes part of the key, such as pk_production_…, so that it can be told from others"
        placeholder="production"
        value={environment}
        onChange={(event) => setEnvironment(event.currentTarget.value.trim())}
        error={wrong ?? beside("environment")}
        spellCheck={false}
        autoComplete="off"
      />
      {make.error && !refused && (
        <p role="alert" className={classes.bad}>
          {refusal(make.error)}
        </p>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={!ready} loading={make.isPending}>
          Make the key
        </Button>
      </Group>
    </form>
  );
}
