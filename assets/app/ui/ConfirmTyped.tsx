import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { messageOf } from "../api/error.ts";

interface Props {
  opened: boolean;
  close: () => void;
  title: string;
  /** What has to be typed for it to happen. */
  word: string;
  /** On the button: `Delete the release`. */
  action: string;
  run: () => Promise<unknown>;
  children: ReactNode;
}

/** Asks before something that has no way back: the name must be typed. */
export function ConfirmTyped({ opened, close, title, word, action, run, children }: Props) {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const right = typed.trim() === word.trim();
  const leave = () => {
    setTyped("");
    setError(undefined);
    close();
  };
  const confirm = async () => {
    if (!right || busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await run();
      leave();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened={opened} onClose={leave} title={title} closeButtonProps={{ "aria-label": "Close" }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <Stack gap="sm">
          <Text size="sm" component="div">
            {children}
          </Text>
          <TextInput
            label={
              <>
                Type{" "}
                <bdi className="mono" style={{ overflowWrap: "anywhere" }}>
                  {word}
                </bdi>{" "}
                to confirm
              </>
            }
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={error === undefined ? undefined : messageOf(error)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              Keep it
            </Button>
            <Button type="submit" color="red" disabled={!right} loading={busy}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
