// The query parameters of an issue's address.

import { type IssueSearch, issueSearchOf } from "../../issue-search/address.ts";
import { type Search, textOf } from "../../search-params.ts";

/**
 * Which event of an issue is shown (the latest when missing), which of them are listed (`release:1.4.2`), and the
 * list of issues that it was opened from.
 */
export interface EventSearch extends IssueSearch {
  event?: string | undefined;
  facet?: string | undefined;
}

/** The parameters that another page's address shares with an issue's. */
export const eventSearchOf = (search: Search): Required<EventSearch> => ({
  event: textOf(search.event),
  facet: textOf(search.facet),
  ...issueSearchOf(search),
});
