// What a section of the Web app is, and the groups that sections stand in.

import type { LucideIcon } from "lucide-react";
import type { Role } from "../api/schema.d.ts";

/** What addresses are about, and who looks at it. What is not known, or not there, is left out. */
export interface Place {
  project?: number | undefined;
  organization?: number | undefined;
  /** Of the person, in the organization. */
  role?: Role | undefined;
}

/** What decides whether there is a section at all. */
export interface Capabilities {
  /** Whether people create organizations here. */
  many?: boolean | undefined;
  /** Whether the person may create projects somewhere. */
  mayCreate?: boolean | undefined;
}

/** Sections that stand together: under a heading, in this order. */
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
  /** Where it is; nothing where the place has no such section, or only its page knows. */
  path: (place: Place) => string | undefined;
  /** What the addresses of its pages begin with, where only a page knows the whole of one. */
  below?: (place: Place) => string | undefined;
  /** Where it is listed; the others are reached from a page. */
  group?: GroupId;
  /** The section that it is a part of. */
  parent?: string;
  /** The shortcut, as `shell/keys.ts` names keys. */
  keys?: string;
  /** What is for owners and admins alone there: members see the entry, and why it is closed to them. */
  adminsOnly?: string;
  /** Whether this server has it, for this person. */
  when?: (capabilities: Capabilities) => boolean;
  /** Other words by which the palette finds it. */
  keywords?: string;
}

export const nowhere = () => undefined;
export const inProject = (make: (project: number) => string) => (place: Place) =>
  place.project === undefined ? undefined : make(place.project);
export const inOrganization = (make: (organization: number) => string) => (place: Place) =>
  place.organization === undefined ? undefined : make(place.organization);
