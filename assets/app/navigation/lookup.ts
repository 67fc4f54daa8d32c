// Looks up sections in the list.

import {
  type Capabilities,
  type Group,
  type GroupId,
  groups,
  type Place,
  type Section,
  type SectionId,
  sections,
} from "./sections.ts";

/** A section and its address at the current place. */
export interface OpenSection extends Section {
  to: string;
  /** Whether it is closed to this person. */
  locked: boolean;
}

const byId = new Map(sections.map((section) => [section.id, section]));

export function sectionOf(id: SectionId): Section {
  const section = byId.get(id);
  if (!section) throw new Error(`no section ${id}`);
  return section;
}

export const groupsIn = (area: Group["area"]): Group[] => groups.filter((group) => group.area === area);

const groupOf = (section: Section): Group | undefined => groups.find(({ id }) => id === section.group);

/** The section, if it exists at the place. */
export function openSection(id: SectionId, place: Place, capabilities: Capabilities = {}): OpenSection | undefined {
  const section = sectionOf(id);
  const to = section.path(place);
  if (to === undefined || section.when?.(capabilities) === false) return undefined;
  return { ...section, to, locked: section.adminsOnly !== undefined && place.role === "member" };
}

/** The sections of a group that exist at the place, in order. */
export const sectionsIn = (group: GroupId, place: Place, capabilities: Capabilities = {}): OpenSection[] =>
  sections.flatMap((section) => (section.group === group ? (openSection(section.id, place, capabilities) ?? []) : []));

/** The sections with a shortcut at the place. */
export const sectionsWithKeys = (place: Place): (OpenSection & { keys: string })[] =>
  sections.flatMap(({ id, keys }) => {
    const section = keys === undefined ? undefined : openSection(id, place);
    return section && keys !== undefined ? { ...section, keys } : [];
  });

/** The name with its context, for lists that do not show that: `Organization: Keys`. */
export function fullName(section: Section): string {
  const group = groupOf(section);
  return group?.area === "settings" ? `${group.label}: ${section.label}` : section.label;
}

/** The sections that contain it, from the top. */
export function ancestorsOf(id: SectionId): Section[] {
  const { parent } = sectionOf(id);
  return parent === undefined ? [] : [...ancestorsOf(parent), sectionOf(parent)];
}

/** The title of the browser's tab. `name` is what the page shows, such as one release. */
export function tabTitle(id: SectionId, name?: string): string {
  const section = sectionOf(id);
  const group = groupOf(section);
  const around = group?.area === "settings" ? [`${group.label} settings`] : ancestorsOf(id).map(({ label }) => label);
  return [name ?? section.label, ...around.toReversed()].join(" · ");
}

/** The section of an address: the one with the longest address that it begins with. */
export function sectionAt(pathname: string, place: Place): SectionId | undefined {
  let found: { id: SectionId; length: number } | undefined;
  for (const { id, path, below = path } of sections) {
    const own = below(place);
    const isHere = own !== undefined && (pathname === own || pathname.startsWith(`${own}/`));
    // Of two sections with the same address, the later one is more specific.
    if (isHere && own.length >= (found?.length ?? 0)) found = { id, length: own.length };
  }
  return found?.id;
}

/** Whether a section is open, or contains the open one. */
export const isWithin = (id: SectionId, open: SectionId | undefined): boolean =>
  open !== undefined && (open === id || ancestorsOf(open).some((section) => section.id === id));
