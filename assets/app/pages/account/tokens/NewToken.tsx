import { Button, Group, Modal, Radio, Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createToken, tokensQuery } from "../../../api/people.ts";
import type { CreatedPersonalToken, TokenScope } from "../../../api/schema.d.ts";
import { Alarm } from "../../../ui/Alarm.tsx";
import { useForm } from "../../../ui/form.ts";
import { found, nameProblem } from "../../../ui/rules.ts";
import { Kept } from "../../../ui/settings/Kept.tsx";
import keyClasses from "../../../ui/settings/Keys.module.css";
import classes from "../../../ui/settings/Settings.module.css";
import { lifetimes, scopeNames, scopeWords } from "./words.ts";

/** Makes a token, then shows it once. */
export function NewToken({ opened, close }: { opened: boolean; close: () => void }) {
  const [made, setMade] = useState<CreatedPersonalToken>();
  const leave = () => {
    setMade(undefined);
    close();
  };
  // What is shown once is not closed by a stray key or click.
  const guard = made ? { closeOnEscape: false, closeOnClickOutside: false, withCloseButton: false } : {};
  return (
    <Modal
      opened={opened}
      onClose={leave}
      title={made ? "Keep this token" : "New access token"}
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
      {...guard}
    >
      {made ? (
        <Kept
          label="the new token"
          secret={made.token}
          close={leave}
          lost="The token cannot be shown again. If it was not copied, it has to be revoked and another made."
        >
          <p className={classes.lead}>It is sent as Authorization: Bearer. Whoever has it acts as you.</p>
        </Kept>
      ) : (
        <Form made={setMade} cancel={leave} />
      )}
    </Modal>
  );
}

function Form({ made, cancel }: { made: (token: CreatedPersonalToken) => void; cancel: () => void }) {
  const cache = useQueryClient();
  const [name, setName] = useState("");
  const [scope, setScope] = useState<TokenScope>("read");
  const [days, setDays] = useState<string>("90");
  const form = useForm<"name" | "scopes" | "expires_in_days">({
    fields: ["name", "scopes", "expires_in_days"],
    check: () =>
      found({ name: name.trim() === "" ? "Enter a name, so that you know it again." : nameProblem(name.trim()) }),
    send: async () => {
      made(
        await createToken({ name: name.trim(), scopes: [scope], expires_in_days: days === "" ? null : Number(days) }),
      );
      void cache.invalidateQueries({ queryKey: tokensQuery.queryKey });
    },
  });
  return (
    <form ref={form.ref} onSubmit={form.onSubmit} className={`${keyClasses.kept} ${classes.fields}`} noValidate>
      <TextInput
        name="name"
        label="Name"
        description="Where it will be used, so that it can be revoked when it leaks"
        value={name}
        error={form.problems.name}
        autoComplete="off"
        data-autofocus
        onChange={(event) => {
          setName(event.currentTarget.value);
          form.changed("name");
        }}
      />
      <Radio.Group
        label="What it may do"
        value={scope}
        error={form.problems.scopes}
        onChange={(value) => setScope(value as TokenScope)}
      >
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
        label="Valid for"
        size="sm"
        data={[...lifetimes]}
        value={days}
        allowDeselect={false}
        error={form.problems.expires_in_days}
        onChange={(value) => setDays(value ?? "")}
        comboboxProps={{ withinPortal: true }}
      />
      <Alarm error={form.failure} />
      <Group justify="flex-end">
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" loading={form.busy}>
          Make the token
        </Button>
      </Group>
    </form>
  );
}
