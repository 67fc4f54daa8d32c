import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { Alarm } from "./Alarm.tsx";
import { BusyButton } from "./BusyButton.tsx";
import { useForm } from "./form.ts";
import classes from "./settings/Settings.module.css";

interface Props {
  opened: boolean;
  close: () => void;
  title: string;
  /** The text that must be typed to confirm. */
  word: string;
  /** On the button: `Delete release`. */
  action: string;
  /** On the button while that takes longer than a moment: `Deleting…`. */
  doing?: string;
  run: () => Promise<unknown>;
  children: ReactNode;
}

/** Asks before something that cannot be undone: the name must be typed. */
export function ConfirmTyped({ opened, close, title, word, action, doing = "Working…", run, children }: Props) {
  const leave = () => {
    form.reset();
    form.clearFailure();
    close();
  };
  const form = useForm({
    initialValues: { typed: "" },
    send: async () => {
      if (!matches) return;
      await run();
      leave();
    },
  });
  const matches = form.values.typed.trim() === word.trim();
  return (
    <Modal opened={opened} onClose={leave} title={title}>
      <form ref={form.ref} onSubmit={form.onSubmit} className={classes.fields} noValidate>
        <Stack gap="sm">
          <Text size="sm" component="div">
            {children}
          </Text>
          <TextInput
            {...form.field("typed")}
            label={
              <>
                Type{" "}
                <bdi className="mono" style={{ overflowWrap: "anywhere" }}>
                  {word}
                </bdi>{" "}
                to confirm
              </>
            }
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          <Alarm error={form.failure} />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              Cancel
            </Button>
            <BusyButton type="submit" color="red" disabled={!matches} busy={form.busy} label={action} doing={doing} />
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
