// The implementation of `notify.ts`, and the container in the corner.

import { Button } from "@mantine/core";
import { Notifications, notifications } from "@mantine/notifications";
import { messageOf } from "../api/error.ts";

/** How long a message stays, in milliseconds; longer with a button. */
const shown = { plain: 4_000, undo: 10_000 };

/** The container of the messages. */
export default function Messages() {
  return <Notifications position="bottom-right" limit={4} />;
}

/** The message that offers to undo something. */
let undoable: string | undefined;

/**
 * Reports a success. `undo` reverts it, and is offered only for the latest success, because reverting an earlier one
 * might contradict it.
 */
export function done(message: string, undo?: () => void): void {
  if (undo && undoable !== undefined) notifications.hide(undoable);
  const id = notifications.show({
    withBorder: true,
    autoClose: undo ? shown.undo : shown.plain,
    closeButtonProps: { "aria-label": "Close" },
    message: undo ? (
      <>
        {message}{" "}
        <Button
          variant="subtle"
          size="compact-xs"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          Undo
        </Button>
      </>
    ) : (
      message
    ),
  });
  if (undo) undoable = id;
}

/** Reports a failure with its reason. It stays until it is closed. */
export function problem(what: string, error: unknown): void {
  notifications.show({
    title: what,
    message: messageOf(error),
    autoClose: false,
    color: "red",
    withBorder: true,
    closeButtonProps: { "aria-label": "Close" },
  });
}

export function clear(): void {
  notifications.clean();
  notifications.cleanQueue();
}
