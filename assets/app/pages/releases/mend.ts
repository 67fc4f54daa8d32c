// Why frames are not resolved, in words, and how to fix it.

import type { Release, Rule, UnresolvedUrl } from "../../api/schema.d.ts";
import { field, isReadable, request, uploadCommand } from "./upload.ts";

/** The rule that failed, for people. */
export const ruleWords: Record<Rule, string> = {
  release: "No such release",
  prefix: "Outside the release's URL prefix",
  url: "No source map for this URL",
  position: "The source map belongs to another build",
};

export interface Mend {
  words: string;
  /** To be run where the build's files are; none where it could not be read as it runs. */
  command: string | undefined;
}

/** A prefix that takes the address: `~/` for what has a host or starts at the root. */
export function prefixFor(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) || url.startsWith("/") ? "~/" : "";
}

/** What would have resolved these frames. */
export function mendOf(
  frame: Pick<UnresolvedUrl, "url" | "rule">,
  release: Pick<Release, "version" | "url_prefix" | "finalized_at">,
  origin: string,
): Mend {
  const upload = (version: string) =>
    uploadCommand({ origin, release: version, url: frame.url, prefix: release.url_prefix, folder: "dist/" });
  if (frame.rule === "prefix") {
    const prefix = prefixFor(frame.url);
    return {
      words: `A release's URL prefix cannot be changed (this one's: ${release.url_prefix || "none"}). Give the next release a prefix that covers this URL, or delete this release, create it again with the command below and upload its source maps again.`,
      command: isReadable(release.version)
        ? request(origin, "releases", [`${field("version", release.version)} ${field("url_prefix", prefix)}`])
        : undefined,
    };
  }
  if (frame.rule === "position") {
    return {
      words: release.finalized_at
        ? "This release is finalized, so its source map cannot be replaced. Give each build its own version, and upload the source map that was built together with the script."
        : "Upload the source map that was built together with the script in use; it replaces the stored one.",
      command: upload(release.finalized_at ? "NEXT_VERSION" : release.version),
    };
  }
  const late = frame.rule === "release" ? "The upload also creates the release. " : "";
  return {
    words: `${late}Upload its source map: events already stored are then shown resolved, too. Third-party scripts without a source map stay minified.`,
    command: upload(release.version),
  };
}
