// Why frames are not resolved, in words, and how to fix it.

import type { ReleaseHealth, Rule, UnresolvedUrl } from "../../api/schema.d.ts";
import { isReadable, option } from "./upload.ts";

/** What the upload takes where no page in the folder says otherwise. */
const prefixDefault = "~/";

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

/** What would have resolved these frames. */
export function mendOf(
  frame: Pick<UnresolvedUrl, "rule">,
  release: Pick<ReleaseHealth, "version" | "url_prefix" | "finalized_at">,
): Mend {
  const { version } = release;
  const prefix = release.url_prefix ?? prefixDefault;
  const command = (words: string, of = version) =>
    isReadable(of + prefix) ? `mayday ${words} ${option("--release", of)}` : undefined;
  const upload = (of?: string) => {
    const start = command("sourcemaps upload", of);
    const under = prefix === prefixDefault ? "" : ` ${option("--url-prefix", prefix)}`;
    return start && `${start}${under} dist/`;
  };
  if (frame.rule === "prefix") {
    const check = command("releases check");
    return {
      words: `A release's URL prefix cannot be changed (this one's: ${prefix || "none"}). Give the next release a prefix that covers this URL. The check says which one your build needs.`,
      command: check && `${check} dist/`,
    };
  }
  if (frame.rule === "position") {
    return {
      words: release.finalized_at
        ? "This release is finalized, so its source map cannot be replaced. Give each build its own version, and upload the source map that was built together with the script."
        : "Upload the source map that was built together with the script in use; it replaces the stored one.",
      command: upload(release.finalized_at ? "NEXT_VERSION" : undefined),
    };
  }
  const late = frame.rule === "release" ? "The upload also creates the release. " : "";
  return {
    words: `${late}Upload its source map: events already stored are then shown resolved, too. Third-party scripts without a source map stay minified.`,
    command: upload(),
  };
}
