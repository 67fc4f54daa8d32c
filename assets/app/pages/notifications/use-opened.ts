import { useState } from "react";
import type { Notification } from "../../api/schema.d.ts";

/** The one that is read. It stays while it is, even where the list has it no more, as among the unread ones. */
export function useOpened(open: number | undefined, listed: readonly Notification[]): Notification | undefined {
  const [kept, keep] = useState<Notification>();
  const found = open === undefined ? undefined : listed.find(({ id }) => id === open);
  if (found !== undefined && found !== kept) keep(found);
  return found ?? (kept?.id === open ? kept : undefined);
}
