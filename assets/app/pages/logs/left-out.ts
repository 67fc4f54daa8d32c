// What the lists of fields and of values say about what they leave out.

import { exact } from "../../ui/format.ts";

interface List {
  total: number;
  has_more: boolean;
  is_complete: boolean;
}

/** `Only the 50 most frequent of 1,234 values.`; `undefined` if everything is shown with its full count. */
export function leftOut({ total, has_more, is_complete }: List, shown: number, many: string): string | undefined {
  const most = `Only the ${exact(shown)} most frequent of ${is_complete ? "" : "at least "}${exact(total)} ${many}.`;
  const uncounted = `Too many ${many} to count them all: some are missing, or their counts are too low.`;
  const parts = [...(has_more ? [most] : []), ...(is_complete ? [] : [uncounted])];
  return parts.length === 0 ? undefined : parts.join(" ");
}
