import type { Event } from "../../api/schema.d.ts";

/** The name of an event's user as people know it; `undefined` if the event names nobody. */
export function userName(user: Event["user"]): string | undefined {
  const names = [user?.email, user?.username, user?.name, user?.id, user?.ip_address];
  return names.find((name) => name != null && name.trim() !== "") ?? undefined;
}
