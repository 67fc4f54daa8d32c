import type { Tag } from "../../../api/schema.d.ts";

/** A tag with the values that began last before all others: of releases, the newest. */
export const newestFirst = (tag: Tag): Tag => ({
  ...tag,
  values: tag.values.toSorted((a, b) => Date.parse(b.first_seen) - Date.parse(a.first_seen)),
});
