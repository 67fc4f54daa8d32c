import { notificationsStore } from "@mantine/notifications";
import { afterEach, expect, test } from "vitest";
import { clear, done } from "./Messages.tsx";

const undo = () => undefined;

/** The text of each message, with its button. */
const shown = () =>
  notificationsStore.getState().notifications.map(({ message }) => {
    const parts =
      typeof message === "string" ? [message] : (message as { props: { children: unknown[] } }).props.children;
    return parts.length > 1 ? `${String(parts[0])} [Undo]` : parts[0];
  });

afterEach(clear);

test("only the latest change can be undone: an older offer would contradict it", () => {
  done("Resolved", undo);
  expect(shown()).toEqual(["Resolved [Undo]"]);
  done("Copied");
  expect(shown(), "what is no change leaves the offer").toEqual(["Resolved [Undo]", "Copied"]);
  done("Ignored", undo);
  expect(shown()).toEqual(["Copied", "Ignored [Undo]"]);
  done("3 issues resolved", null);
  expect(shown(), "a change that cannot be undone ends it, too").toEqual(["Copied", "3 issues resolved"]);
});
