// Every section of the Web app, once. The navigation, the bar of small screens, the second column of the settings, the
// palette, the shortcuts, the tabs' titles and the breadcrumbs are made from this list: a new section is an entry here
// and a route.

import {
  Archive,
  Building2,
  CircleAlert,
  FileLock2,
  Gauge,
  History,
  KeyRound,
  LogIn,
  type LucideIcon,
  MonitorSmartphone,
  Plus,
  Rocket,
  ScrollText,
  Settings,
  SlidersHorizontal,
  Tag,
  User,
  Users,
} from "lucide-react";
import type { Role } from "../api/schema.d.ts";
import { paths } from "../paths.ts";

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
  { id: "project-settings", area: "settings", label: "Project" },
  { id: "organization-settings", area: "settings", label: "Organization" },
  { id: "account-settings", area: "settings", label: "Account" },
] as const satisfies readonly { id: string; area: "main" | "settings"; label: string }[];

export type Group = (typeof groupList)[number];
export type GroupId = Group["id"];
export const groups: readonly Group[] = groupList;

interface Entry {
  id: string;
  label: string;
  icon: LucideIcon;
  /** Where it is; nothing where the place has no such section, or only its page knows. */
  path: (place: Place) => string | undefined;
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

const nowhere = () => undefined;
const inProject = (make: (project: number) => string) => (place: Place) =>
  place.project === undefined ? undefined : make(place.project);
const inOrganization = (make: (organization: number) => string) => (place: Place) =>
  place.organization === undefined ? undefined : make(place.organization);

const list = [
  { id: "issues", label: "Issues", icon: CircleAlert, group: "project", keys: "g i", path: inProject(paths.issues) },
  { id: "logs", label: "Logs", icon: ScrollText, group: "project", keys: "g l", path: inProject(paths.logs) },
  { id: "releases", label: "Releases", icon: Tag, group: "project", keys: "g r", path: inProject(paths.releases) },
  { id: "release", label: "Release", icon: Tag, parent: "releases", path: nowhere },
  {
    id: "settings",
    label: "Settings",
    icon: Settings,
    keys: "g s",
    path: (place) =>
      inProject(paths.settings)(place) ?? inOrganization(paths.organization)(place) ?? paths.account("profile"),
  },

  {
    id: "project-general",
    label: "General",
    icon: SlidersHorizontal,
    group: "project-settings",
    parent: "settings",
    keywords: "name platform delete",
    path: inProject((project) => paths.settings(project, "general")),
  },
  {
    id: "project-keys",
    label: "Keys",
    icon: KeyRound,
    group: "project-settings",
    parent: "settings",
    adminsOnly: "Viewing, creating and revoking keys",
    path: inProject((project) => paths.settings(project, "keys")),
  },
  {
    id: "project-limits",
    label: "Limits",
    icon: Gauge,
    group: "project-settings",
    parent: "settings",
    keywords: "rate size retention",
    path: inProject((project) => paths.settings(project, "limits")),
  },
  {
    id: "project-scrubbing",
    label: "Scrubbing",
    icon: FileLock2,
    group: "project-settings",
    parent: "settings",
    keywords: "secrets privacy",
    path: inProject((project) => paths.settings(project, "scrubbing")),
  },
  {
    id: "project-set-aside",
    label: "Quarantine",
    icon: Archive,
    group: "project-settings",
    parent: "settings",
    adminsOnly: "Viewing, retrying and deleting these events",
    keywords: "set aside failed events retry",
    path: inProject((project) => paths.settings(project, "set-aside")),
  },
  {
    id: "start",
    label: "Set up",
    icon: Rocket,
    group: "project-settings",
    parent: "settings",
    keywords: "snippet connect test event first steps source maps checklist",
    path: inProject(paths.start),
  },

  {
    id: "organization-general",
    label: "General",
    icon: Building2,
    group: "organization-settings",
    parent: "settings",
    keywords: "name owner",
    path: inOrganization((organization) => paths.organization(organization, "general")),
  },
  {
    id: "organization-members",
    label: "Members",
    icon: Users,
    group: "organization-settings",
    parent: "settings",
    keys: "g m",
    keywords: "people invite invitations roles",
    path: inOrganization((organization) => paths.organization(organization, "members")),
  },
  {
    id: "organization-keys",
    label: "Keys",
    icon: KeyRound,
    group: "organization-settings",
    parent: "settings",
    adminsOnly: "Viewing, creating and revoking organization keys",
    path: inOrganization((organization) => paths.organization(organization, "keys")),
  },
  {
    id: "organization-sign-in",
    label: "Sign-in",
    icon: LogIn,
    group: "organization-settings",
    parent: "settings",
    adminsOnly: "Viewing and checking sign-in settings",
    keywords: "sso oidc github password",
    // With many organizations, people sign in to the instance: no organization says how.
    when: ({ many }) => !many,
    path: inOrganization((organization) => paths.organization(organization, "sign-in")),
  },
  {
    id: "organization-audit",
    label: "Audit log",
    icon: History,
    group: "organization-settings",
    parent: "settings",
    adminsOnly: "Reading the audit log",
    path: inOrganization((organization) => paths.organization(organization, "audit")),
  },

  {
    id: "account-profile",
    label: "Profile",
    icon: User,
    group: "account-settings",
    parent: "settings",
    keys: "g a",
    keywords: "name e-mail password",
    path: () => paths.account("profile"),
  },
  {
    id: "account-sessions",
    label: "Sessions",
    icon: MonitorSmartphone,
    group: "account-settings",
    parent: "settings",
    keywords: "devices signed in",
    path: () => paths.account("sessions"),
  },
  {
    id: "account-tokens",
    label: "Access tokens",
    icon: KeyRound,
    group: "account-settings",
    parent: "settings",
    keywords: "personal api",
    path: () => paths.account("tokens"),
  },

  {
    id: "new-project",
    label: "New project",
    icon: Plus,
    when: ({ mayCreate }) => mayCreate === true,
    path: () => paths.newProject,
  },
  {
    id: "new-organization",
    label: "New organization",
    icon: Plus,
    when: ({ many }) => many === true,
    path: () => paths.newOrganization,
  },
] as const satisfies readonly Entry[];

export type SectionId = (typeof list)[number]["id"];

export interface Section extends Omit<Entry, "id" | "parent"> {
  id: SectionId;
  parent?: SectionId;
}

export const sections: readonly Section[] = list;
