// Explains why frames are not resolved, and how to fix it. The server provides the command.

import type { ReleaseHealth, Rule } from "../../api/schema.d.ts";

/** The rule that failed, for people. */
export const ruleWords: Record<Rule, string> = {
  release: "No source maps: only events name this release",
  prefix: "Outside the release's URL prefix",
  url: "No source map for this URL",
  position: "The source map belongs to another build",
};

/** The last prefix in a command of the server, which ends with the folder of the build. */
const lastPrefix = / --url-prefix[ =]('(?:[^']|'\\'')*'|[^\s']+) dist\/$/;

/** What a command does that deletes the release first; `undefined` for every other. Back quotes mark code. */
export function deleteWords(command: string | null): string | undefined {
  if (!command?.startsWith("mayday releases delete ")) return undefined;
  const word = lastPrefix.exec(command)?.[1];
  const prefix = word?.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word;
  const under =
    prefix === undefined
      ? "under the prefix that the pages of your build show, or else `~/`"
      : prefix === ""
        ? "without a prefix"
        : `under \`${prefix}\``;
  const what = "this deletes the release with its source maps and uploads them again";
  return `A release’s prefix cannot be changed: ${what} ${under}.`;
}

/** Whether no command mends a frame outside the release's prefix: a check only says why. */
export const isForNext = (rule: Rule, command: string | null): boolean =>
  rule === "prefix" && (command === null || command.startsWith("mayday releases check "));

/** What would have resolved frames that fail a rule, with the server's command. Back quotes mark code. */
export function mendWords(
  rule: Rule,
  release: Pick<ReleaseHealth, "url_prefix" | "finalized_at">,
  command: string | null,
): string {
  const late =
    "events already stored are then shown resolved, too. Third-party scripts without a source map stay minified.";
  const own = `this one’s: ${release.url_prefix ? `\`${release.url_prefix}\`` : "none"}`;
  switch (rule) {
    case "release":
      return `The upload also creates the release. Upload its source map: ${late}`;
    case "url":
      return `Upload its source map: ${late}`;
    case "prefix":
      return isForNext(rule, command)
        ? `The prefix of a release cannot be changed (${own}). Give the next release one that covers this address.`
        : (deleteWords(command) ?? `Upload its source map: ${late}`);
    case "position":
      return release.finalized_at
        ? "This release is finalized, so its source map cannot be replaced. Give each build its own version, and upload the source map that was built together with the script. The check says whether a build fits."
        : "Upload the source map that was built together with the script in use; it replaces the stored one. The check says whether a build fits.";
  }
}
