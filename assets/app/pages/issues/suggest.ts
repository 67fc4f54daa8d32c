// Suggestions for the term at the caret.

import { contextFacets } from "../../issue-search/contexts.ts";
import { term } from "../../issue-search/query.ts";
import type { FacetValues } from "./facet-values.ts";

export interface Suggestion {
  /** The replacement of the term. */
  text: string;
  about: string;
}

/** Known values of the project. */
export interface Known {
  releases: string[];
  environments: string[];
  members: { email: string; name: string }[];
  /** By the name of a facet: `user`, `tag.locale`, `contexts.os.name`. */
  facets: FacetValues;
}

const keys: Record<string, string> = {
  is: "a status or state: unresolved, new, regressed, mine …",
  status: "unresolved, resolved, ignored, or several: unresolved,ignored",
  level: "fatal, error, warning, info, debug",
  release: "seen in this release",
  first_release: "first seen in this release",
  first_seen: ">7d: in the last 7 days; <2026-11-20: before that day",
  last_seen: ">24h: in the last 24 hours; <7d: more than 7 days ago",
  environment: "seen in this environment",
  assignee: "me, none, or an e-mail",
  user: "a user's ID, e-mail or name",
  account: "an account's ID or name",
  priority: "high, medium, low",
  type: "the exact exception type",
  has: "issues with a user, account, release, environment, assignee, tag or context",
  "tag.": "a tag, such as tag.browser:Firefox",
  "contexts.": "what it ran on, such as contexts.os.name:Linux",
};

/** Ages to compare with; a date can be typed as well. */
const ages: Record<string, string> = {
  ">1h": "in the last hour",
  ">24h": "in the last 24 hours",
  ">7d": "in the last 7 days",
  "<7d": "more than 7 days ago",
  "<30d": "more than 30 days ago",
};

const fixed: Record<string, Record<string, string>> = {
  is: {
    unresolved: "not resolved and not ignored",
    resolved: "",
    ignored: "",
    new: "first seen in the last 7 days",
    regressed: "happened again after it was resolved",
    escalating: "many more events than usual",
    "high-value": "affects a high-value account",
    ongoing: "unresolved for more than 7 days",
    mine: "assigned to you",
    assigned: "assigned to somebody",
    unassigned: "assigned to nobody",
  },
  status: { unresolved: "", resolved: "", ignored: "", all: "" },
  first_seen: ages,
  last_seen: ages,
  assignee: { me: "assigned to you", none: "assigned to nobody" },
  level: { fatal: "", error: "", warning: "", info: "", debug: "" },
  priority: { high: "", medium: "", low: "" },
  has: { user: "", account: "", release: "", environment: "", assignee: "" },
};

/** Values of the project that are suggested at once; the lists of the app are whole. */
const most = 8;

export function suggestions(typed: string, known: Known): Suggestion[] {
  const minus = typed.startsWith("-") ? "-" : "";
  const bare = typed.slice(minus.length);
  const colon = bare.indexOf(":");
  if (colon < 0) return keysFor(bare, minus, known);
  const typedKey = bare.slice(0, colon);
  // Only tags tell upper from lower case.
  const key = typedKey.startsWith("tag.") ? typedKey : typedKey.toLowerCase();
  const start = bare
    .slice(colon + 1)
    .replaceAll('"', "")
    .toLowerCase();
  const { own, ofProject } = valuesOf(key, known);
  return [...matching(own, start), ...matching(ofProject, start).slice(0, most)]
    .sort(byBeginning(start))
    .map(({ value, about }) => ({ text: minus + term(key, value), about }));
}

/** The values that begin with the text, then those that it is elsewhere in, or in what is said of them. */
const matching = (values: Value[], start: string): Value[] =>
  values
    .filter(({ value, about }) => `${value} ${about}`.toLowerCase().includes(start) && value.toLowerCase() !== start)
    .sort(byBeginning(start));

const byBeginning =
  (start: string) =>
  (one: Value, other: Value): number =>
    Number(other.value.toLowerCase().startsWith(start)) - Number(one.value.toLowerCase().startsWith(start));

function keysFor(typed: string, minus: string, known: Known): Suggestion[] {
  const start = typed.toLowerCase();
  return Object.entries(longKeys(start, known) ?? keys)
    .filter(([key]) => key.toLowerCase().startsWith(start))
    .map(([key, about]) => ({ text: `${minus}${key}${key.endsWith(".") ? "" : ":"}`, about }));
}

/** Offered once their beginning is typed; there are too many for the list of keys. */
function longKeys(start: string, { facets }: Known): Record<string, string> | undefined {
  const bare = (names: string[]) => Object.fromEntries(names.map((name) => [name, ""]));
  if (start.startsWith("contexts.")) return bare([...contextFacets]);
  // A name with a space or a quote cannot be written.
  if (start.startsWith("tag.")) return bare(tagsOf(facets));
  return undefined;
}

const tagsOf = (facets: FacetValues): string[] =>
  Object.keys(facets).filter((name) => name.startsWith("tag.") && !/[\s":]/.test(name));

interface Value {
  value: string;
  about: string;
}

/** The values that every project has, and those of this one. */
function valuesOf(key: string, known: Known): { own: Value[]; ofProject: Value[] } {
  const plain = (values: Iterable<string>) => [...values].map((value) => ({ value, about: "" }));
  switch (key) {
    case "release":
    case "first_release":
      return { own: [], ofProject: plain(known.releases) };
    case "environment":
      return { own: [], ofProject: plain(known.environments) };
    case "has":
      return { own: plainly(fixed.has), ofProject: plain([...tagsOf(known.facets), ...contextFacets]) };
    case "assignee":
      return {
        own: plainly(fixed.assignee),
        ofProject: known.members.map(({ email, name }) => ({ value: email, about: name })),
      };
    default:
      if (Object.hasOwn(fixed, key)) return { own: plainly(fixed[key]), ofProject: [] };
      return { own: [], ofProject: (Object.hasOwn(known.facets, key) && known.facets[key]) || [] };
  }
}

const plainly = (values: Record<string, string> = {}) =>
  Object.entries(values).map(([value, about]) => ({ value, about }));
