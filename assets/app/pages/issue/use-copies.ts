import { useQueryClient } from "@tanstack/react-query";
import type { Event, Issue, Tags } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { copy } from "../../ui/clipboard.ts";
import { done, problem } from "../../ui/notify.ts";
import { markdown } from "./markdown.ts";
import { type Place, tagsQuery } from "./queries.ts";

const refused = new Error("The browser allows access to the clipboard only over HTTPS, or on localhost.");

async function put(text: string, what: string): Promise<void> {
  if (await copy(text)) done(`${what} copied`);
  else problem(`${what} could not be copied`, refused);
}

/** Copies a link to the event, or a report about the issue. */
export function useCopies(issue: Issue, event: Event | undefined, place: Place) {
  const cache = useQueryClient();
  const url = `${location.origin}${paths.issue(place.project, place.issue, event?.event_id)}`;
  return {
    link: () => void put(url, "Link"),
    markdown: () => {
      if (!event) return;
      const tags = cache.getQueryData<Tags>(tagsQuery(place).queryKey)?.tags ?? [];
      void put(markdown({ issue, event, tags, url }), "Report");
    },
  };
}
