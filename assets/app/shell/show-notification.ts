// Shows new notifications as browser notifications while no tab of the app is visible; only one tab does, once.

import type { Inbox, Notification as One } from "../api/schema.d.ts";
import { serverNow } from "../api/server-clock.ts";
import { oneLine } from "../ui/visible.ts";
import { isTold, seenLock, setTold } from "./notification-choice.ts";

/** Older notifications are not shown, in milliseconds: the page was asleep. */
const recent = 120_000;

/** Calls `open` when somebody clicks the notification. */
export async function showNotification(now: Inbox, before: Inbox | undefined, open: (one: One) => void): Promise<void> {
  const one = now.newest;
  if (!one || one.read_at !== null || serverNow() - Date.parse(one.created_at) > recent) return;
  await navigator.locks.request("mayday.told-here", async () => {
    if (isTold(one.id) || (await isSeen())) return;
    setTold(one.id);
    show(one, now.unread_count - (before?.unread_count ?? now.unread_count) - 1, open);
  });
}

/** Whether any tab of the app is visible. */
async function isSeen(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === seenLock);
}

function show(one: One, others: number, open: (one: One) => void): void {
  const more = others > 0 ? `\nand ${others} more` : "";
  const shown = new Notification(oneLine(one.title), { body: oneLine(one.summary) + more, tag: `mayday-${one.id}` });
  shown.onclick = () => {
    window.focus();
    shown.close();
    open(one);
  };
}
