// Short ids of issues, such as WEB-42.

/** What stands before the number in the short ids of a project: letters and digits of its slug. */
export const prefixOf = (slug: string): string =>
  slug
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, 16)
    .toUpperCase();

/** The prefix of what is a short id, and nothing else. */
export const shortIdPrefix = (text: string): string | undefined =>
  /^([A-Za-z0-9]{1,16})-\d{1,9}$/.exec(text)?.[1]?.toUpperCase();
