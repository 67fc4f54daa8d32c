import { RRWEB } from "../../../../client/replay/format.ts";
import { oneLine } from "../../../ui/visible.ts";

const majorOf = (version: string): string | undefined => /^v?(\d+)(?:\.|$)/.exec(version)?.[1];

/** A note about a recording by another version of rrweb; undefined if that is unknown or does not matter. */
export function versionNote(version: string | null | undefined, own: string = RRWEB): string | undefined {
  const major = majorOf(version ?? "");
  if (major === undefined || major === majorOf(own)) return undefined;
  return `Recorded with rrweb ${oneLine(version ?? "")}, shown with ${own}: what you see may differ from what was on the page.`;
}
