import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";

interface Props {
  /** Whether something would be lost; called when somebody leaves, possibly before a change is rendered. */
  when: () => boolean;
  title: string;
  children: string;
}

/** Asks before somebody leaves a page with unsaved changes. */
export function LeaveGuard({ when, title, children }: Props) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => when() && current.pathname !== next.pathname,
    enableBeforeUnload: when,
    withResolver: true,
  });
  const asked = blocker.status === "blocked";
  return (
    <Modal opened={asked} onClose={() => blocker.reset?.()} title={title}>
      <Stack gap="sm">
        <Text size="sm">{children}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => blocker.reset?.()} data-autofocus>
            Stay
          </Button>
          <Button color="red" onClick={() => blocker.proceed?.()}>
            Leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
