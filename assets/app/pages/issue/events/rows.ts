import type { Events, EventSummary } from "../../../api/schema.d.ts";

/** The rows of all pages; events that came in between push some onto a second page. */
export function rowsOf(pages: Pick<Events, "events">[]): EventSummary[] {
  const rows = new Map(pages.flatMap(({ events }) => events.map((event) => [event.id, event] as const)));
  return [...rows.values()];
}
