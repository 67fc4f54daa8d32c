import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Alarm } from "./Alarm.tsx";
import { BusyButton } from "./BusyButton.tsx";

interface Props {
  opened: boolean;
  close: () => void;
  /** Gives the focus to something once the dialog is gone; without it, what had the focus before gets it. */
  closed?: () => void;
  title: string;
  /** On the button: `Revoke key`. */
  action: string;
  /** On the button while that takes longer than a moment: `Revoking…`. */
  doing?: string;
  /** What it does takes nothing away: its button is not red. */
  isHarmless?: boolean;
  run: () => Promise<unknown>;
  children: ReactNode;
}

/** Asks before something that can be undone only with some effort. */
export function Confirm({
  opened,
  close,
  closed,
  title,
  action,
  doing = "Working…",
  isHarmless = false,
  run,
  children,
}: Props) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const leave = () => {
    setError(undefined);
    close();
  };
  const confirm = async () => {
    if (busy) return;
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
    <Modal
      opened={opened}
      onClose={leave}
      title={title}
      {...(closed && { returnFocus: false, onExitTransitionEnd: closed })}
    >
      <Stack gap="sm">
        <Text size="sm" component="div">
          {children}
        </Text>
        <Alarm error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={leave} data-autofocus>
            Cancel
          </Button>
          <BusyButton
            {...(!isHarmless && { color: "red" })}
            busy={busy}
            label={action}
            doing={doing}
            onClick={() => void confirm()}
          />
        </Group>
      </Stack>
    </Modal>
  );
}
