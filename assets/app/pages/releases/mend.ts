// Why frames are not resolved, in words, and what mends it.

import type { Release, Rule, UnresolvedUrl } from "../../api/schema.d.ts";
import { field, isReadable, request, uploadCommand } from "./upload.ts";

/** The rule that failed, for people. */
export const ruleWords: Record<Rule, string> = {
  release: "No such release",
  prefix: "Outside the release's address prefix",
  url: "No source map for this address",
  position: "The source map is of another build",
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
      words: `A release keeps its prefix (${release.url_prefix || "none"}). Give the next one a prefix that takes this address; or delete this release, create it anew like this and upload its maps again.`,
      command: isReadable(release.version)
        ? request(origin, "releases", [`${field("version", release.version)} ${field("url_prefix", prefix)}`])
        : undefined,
    };
  }
  if (frame.rule === "position") {
    return {
      words: release.finalized_at
        ? "This release is finalized, so its map cannot be replaced: give each build a version of its own, and upload the map that was written together with the script."
        : "Upload the map that was written together with the script that runs; it replaces the one that is stored.",
      command: upload(release.finalized_at ? "NEXT_VERSION" : release.version),
    };
  }
  const late = frame.rule === "release" ? "The upload makes the release, too. " : "";
  return {
    words: `${late}Upload its map: stored events are shown resolved from then on. A script of somebody else's without a map stays as it is.`,
    command: upload(release.version),
  };
}
