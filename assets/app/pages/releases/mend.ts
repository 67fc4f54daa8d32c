// Why frames are not resolved, in words, and what mends it.

import type { Release, Rule, UnresolvedUrl } from "../../api/schema.d.ts";
import { quoted } from "./ci.ts";

/** The rule that failed, for people. */
export const ruleWords: Record<Rule, string> = {
  release: "No such release",
  prefix: "Outside the release's address prefix",
  url: "No source map for this address",
  position: "The source map is of another build",
};

export interface Mend {
  words: string;
  /** To be run where the build's files are. */
  command: string;
}

/** The address in the form that source maps have: without query and fragment, its host as the prefix has it. */
export function mapUrl(url: string, prefix: string): string {
  const bare = url.split(/[?#]/)[0] ?? url;
  if (!prefix.startsWith("~") || bare.startsWith("~")) return bare;
  const path = bare.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "");
  return path.startsWith("/") ? `~${path}` : bare;
}

/** A prefix that takes the address: `~/` for what has a host or starts at the root. */
export function prefixFor(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) || url.startsWith("/") ? "~/" : "";
}

const file = (url: string): string => `${url.split("/").at(-1) || "script.js"}.map`;

const request = (origin: string, path: string, fields: string[]): string =>
  [`curl --fail-with-body ${quoted(`${origin}/api/v1/${path}`)}`, '-H "Authorization: Bearer $MAYDAY_KEY"', ...fields].join(" \\\n  ");

const field = (name: string, value: string): string => `--form-string ${quoted(`${name}=${value}`)}`;

const upload = (origin: string, version: string, url: string): string =>
  request(origin, "sourcemaps", [field("release", version), field("url", url), `-F ${quoted(`sourcemap=@dist/${file(url)}`)}`]);

/** What would have resolved these frames. */
export function mendOf(frame: Pick<UnresolvedUrl, "url" | "rule">, release: Pick<Release, "version" | "url_prefix" | "finalized_at">, origin: string): Mend {
  const url = mapUrl(frame.url, release.url_prefix);
  if (frame.rule === "prefix") {
    const prefix = prefixFor(frame.url);
    return {
      words: `A release keeps its prefix (${release.url_prefix || "none"}). Give the next one a prefix that takes this address; or delete this release, create it anew like this and upload its maps again.`,
      command: request(origin, "releases", [field("version", release.version), field("url_prefix", prefix)]),
    };
  }
  if (frame.rule === "position") {
    return {
      words: release.finalized_at
        ? "This release is finalized, so its map cannot be replaced: give each build a version of its own, and upload the map that was written together with the script."
        : "Upload the map that was written together with the script that runs; it replaces the one that is stored.",
      command: upload(origin, release.finalized_at ? "NEXT_VERSION" : release.version, url),
    };
  }
  const late = frame.rule === "release" ? "The upload makes the release, too. " : "";
  return {
    words: `${late}Upload its map: events of the last 30 days are resolved again. A script of others without a map stays as it is.`,
    command: upload(origin, release.version, url),
  };
}
