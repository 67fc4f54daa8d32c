import { notifications } from "@mantine/notifications";
import { messageOf } from "../api/error.ts";

/** How long a message stays, in milliseconds; problems stay until they are closed. */
const shown = 4_000;

/** Something was done. */
export function done(message: string): void {
  notifications.show({ message, autoClose: shown, withBorder: true });
}

/** Something could not be done, and why. */
export function problem(what: string, error: unknown): void {
  notifications.show({ title: what, message: messageOf(error), autoClose: false, color: "red", withBorder: true });
}
