import { useLocalStorage } from "@mantine/hooks";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { Event, Issue, LogEntry, Tags } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { copy } from "../../ui/clipboard.ts";
import { done, problem } from "../../ui/notify.ts";
import { traceLogsQuery } from "./logs/queries.ts";
import { firstSides } from "./logs/timeline.ts";
import { markdown } from "./markdown.ts";
import { type Place, tagsQuery } from "./queries.ts";

const refused = new Error("The browser allows access to the clipboard only over HTTPS, or on localhost.");

async function put(text: string, what: string): Promise<void> {
  if (await copy(text)) done(`${what} copied`);
  else problem(`${what} could not be copied`, refused);
}

/** Whether reports include people; stored in this browser. */
export const useWithPeople = () =>
  useLocalStorage({ key: "mayday.report.people", defaultValue: false, getInitialValueInEffect: false });

/** The logs around the event, which the page has usually loaded; a report without them is better than none. */
async function logsOf(cache: QueryClient, event: Event): Promise<LogEntry[]> {
  if (!event.trace_id) return [];
  try {
    return (await cache.fetchQuery(traceLogsQuery(event, firstSides))).logs;
  } catch {
    return [];
  }
}

/** Copies a link to the event, or a report about the issue. */
export function useCopies(issue: Issue, event: Event | undefined, place: Place) {
  const cache = useQueryClient();
  const [withPeople] = useWithPeople();
  const url = `${location.origin}${paths.issue(place.project, place.issue, event?.event_id)}`;
  const report = async () => {
    if (!event) return;
    const tags = cache.getQueryData<Tags>(tagsQuery(place).queryKey)?.tags ?? [];
    const logs = await logsOf(cache, event);
    await put(markdown({ issue, event, tags, url, logs, withPeople }), "Report");
  };
  return {
    link: () => void put(url, "Link"),
    markdown: () => void report(),
  };
}
