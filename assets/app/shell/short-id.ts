// Short ids of issues, such as WEB-42.

/** The part of a project's short ids before the number: letters and digits of its slug. */
export const prefixOf = (slug: string): string =>
  slug
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, 16)
    .toUpperCase();

/** The prefix of a text that is a short id and nothing else. */
export const shortIdPrefix = (text: string): string | undefined =>
  /^([A-Za-z0-9]{1,16})-\d{1,9}$/.exec(text)?.[1]?.toUpperCase();
