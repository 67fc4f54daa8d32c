// The type of a section of the Web app, and the groups of sections.

import type { LucideIcon } from "lucide-react";
import type { Role } from "../api/schema.d.ts";

/** What an address refers to, and who looks at it. Unknown and missing parts are left out. */
export interface Place {
  project?: number | undefined;
  organization?: number | undefined;
  /** The person's role in the organization. */
  role?: Role | undefined;
}

/** What decides whether a section exists. */
export interface Capabilities {
  /** Whether people can create organizations on this instance. */
  many?: boolean | undefined;
  /** Whether the person may create projects somewhere. */
  mayCreate?: boolean | undefined;
}

/** Groups of sections, in order, each with a heading. */
const groupList = [
  { id: "project", area: "main", label: "Project" },
  { id: "automate", area: "main", label: "Automate" },
  { id: "project-settings", area: "settings", label: "Project" },
  { id: "organization-settings", area: "settings", label: "Organization" },
  { id: "account-settings", area: "settings", label: "Account" },
  { id: "instance-settings", area: "settings", label: "Instance" },
] as const satisfies readonly { id: string; area: "main" | "settings"; label: string }[];

export type Group = (typeof groupList)[number];
export type GroupId = Group["id"];
export const groups: readonly Group[] = groupList;

export interface Entry {
  id: string;
  label: string;
  icon: LucideIcon;
  /** Its address; nothing if the section does not exist here, or only its page knows the address. */
  path: (place: Place) => string | undefined;
  /** What the addresses of its pages begin with, where only a page knows the whole of one. */
  below?: (place: Place) => string | undefined;
  /** Where it is listed; the others are reached from a page. */
  group?: GroupId;
  /** The section that contains it. */
  parent?: string;
  /** The shortcut, as `shell/keys.ts` names keys. */
  keys?: string;
  /** Why members cannot use the section: they see the entry with this explanation. */
  adminsOnly?: string;
  /** Whether the section exists on this server, for this person. */
  when?: (capabilities: Capabilities) => boolean;
  /** Further words by which the palette finds it. */
  keywords?: string;
}

export const nowhere = () => undefined;
export const inProject = (make: (project: number) => string) => (place: Place) =>
  place.project === undefined ? undefined : make(place.project);
export const inOrganization = (make: (organization: number) => string) => (place: Place) =>
  place.organization === undefined ? undefined : make(place.organization);
