// The implementation of `notify.ts`, and the container in the corner.

import { Button } from "@mantine/core";
import { Notifications, notifications } from "@mantine/notifications";
import { messageOf } from "../api/error.ts";
import { roomFor } from "./room.ts";

/** How long a message stays, in milliseconds; longer with a button. */
const shown = { plain: 4_000, undo: 10_000 };

const corner = "bottom-right";

/** In pixels: they end where the column beside the content does (`--width-side`), and do not reach over the content. */
const width = 312;

/** The container of the messages. */
export default function Messages() {
  return <Notifications ref={keepClear} position={corner} containerWidth={width} limit={4} />;
}

/** Tells style sheets how much of the window's bottom the messages take, so that what is pressed stands above them. */
function keepClear(container: HTMLElement | null): (() => void) | undefined {
  // There is a container for each corner.
  if (container?.dataset.position !== corner) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty("--message", roomFor(container.offsetHeight)));
  observer.observe(container);
  return () => {
    observer.disconnect();
    style.removeProperty("--message");
  };
}

/** The message that offers to undo something. */
let undoable: string | undefined;

/**
 * Reports a success. `undo` reverts it, and is offered only for the latest change, because reverting an earlier one
 * might contradict it; it is `null` for a change that cannot be reverted.
 */
export function done(message: string, undo?: (() => void) | null): void {
  if (undo !== undefined && undoable !== undefined) notifications.hide(undoable);
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
