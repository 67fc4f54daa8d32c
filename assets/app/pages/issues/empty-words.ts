// What an empty list says of a project that has issues, in any environment and at any time.

import type { Asked, Status } from "../../issue-search/address.ts";

interface Words {
  title: string;
  /** What it means, or what to do. */
  hint: string;
}

const search =
  "Use fewer words or filters. Put “-” before a word to exclude it, and quotes around words that belong together.";

const ofStatus: Record<Exclude<Status, "all">, Words> = {
  unresolved: {
    title: "No unresolved issues",
    hint: "All issues are resolved or ignored. New ones will appear here.",
  },
  resolved: { title: "No resolved issues", hint: "Resolve an issue once its bug is mended, and it will appear here." },
  ignored: { title: "No ignored issues", hint: "Ignore an issue that needs no work, and it will appear here." },
};

export const emptyWords = ({ status, words }: Asked): Words =>
  words !== "" || status === "all" ? { title: "No matching issues", hint: search } : ofStatus[status];
