// Explains why frames are not resolved, and how to fix it. The server provides the command.

import type { ReleaseHealth, Rule } from "../../api/schema.d.ts";

/** The rule that failed, for people. */
export const ruleWords: Record<Rule, string> = {
  release: "No source maps: only events name this release",
  prefix: "Outside the release's URL prefix",
  url: "No source map for this URL",
  position: "The source map belongs to another build",
};

/** What would have resolved frames that fail a rule. */
export function mendWords(rule: Rule, release: Pick<ReleaseHealth, "url_prefix" | "finalized_at">): string {
  const late =
    "events already stored are then shown resolved, too. Third-party scripts without a source map stay minified.";
  switch (rule) {
    case "release":
      return `The upload also creates the release. Upload its source map: ${late}`;
    case "url":
      return `Upload its source map: ${late}`;
    case "prefix":
      return `A release's URL prefix cannot be changed (this one's: ${release.url_prefix || "none"}). Give the next release a prefix that covers this URL, or delete this one and upload its source maps again.`;
    case "position":
      return release.finalized_at
        ? "This release is finalized, so its source map cannot be replaced. Give each build its own version, and upload the source map that was built together with the script. The check says whether a build fits."
        : "Upload the source map that was built together with the script in use; it replaces the stored one. The check says whether a build fits.";
  }
}
