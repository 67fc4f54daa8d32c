// What is asked of the list of sections.

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

/** A section with its address here. */
export interface OpenSection extends Section {
  to: string;
  /** There is nothing for members. */
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

/** The section, where there is one. */
export function openSection(id: SectionId, place: Place, capabilities: Capabilities = {}): OpenSection | undefined {
  const section = sectionOf(id);
  const to = section.path(place);
  if (to === undefined || section.when?.(capabilities) === false) return undefined;
  return { ...section, to, locked: section.adminsOnly !== undefined && place.role === "member" };
}

/** The sections of a group that there are here, in order. */
export const sectionsIn = (group: GroupId, place: Place, capabilities: Capabilities = {}): OpenSection[] =>
  sections.flatMap((section) => (section.group === group ? (openSection(section.id, place, capabilities) ?? []) : []));

/** Everything that has a shortcut here. */
export const sectionsWithKeys = (place: Place): (OpenSection & { keys: string })[] =>
  sections.flatMap(({ id, keys }) => {
    const section = keys === undefined ? undefined : openSection(id, place);
    return section && keys !== undefined ? { ...section, keys } : [];
  });

/** What it is called where nothing around it says of what it is: `Organization: Keys`. */
export function fullName(section: Section): string {
  const group = groupOf(section);
  return group?.area === "settings" ? `${group.label}: ${section.label}` : section.label;
}

/** What it is a part of, from the top. */
export function ancestorsOf(id: SectionId): Section[] {
  const { parent } = sectionOf(id);
  return parent === undefined ? [] : [...ancestorsOf(parent), sectionOf(parent)];
}

/** The title of the browser's tab; `name` is what the page shows of the section, such as one release. */
export function tabTitle(id: SectionId, name?: string): string {
  const section = sectionOf(id);
  const group = groupOf(section);
  const around = group?.area === "settings" ? [`${group.label} settings`] : ancestorsOf(id).map(({ label }) => label);
  return [name ?? section.label, ...around.toReversed()].join(" · ");
}

/** The section that an address belongs to: the one with the longest address that it begins with. */
export function sectionAt(pathname: string, place: Place): SectionId | undefined {
  let found: { id: SectionId; length: number } | undefined;
  for (const { id, path, below = path } of sections) {
    const own = below(place);
    const isHere = own !== undefined && (pathname === own || pathname.startsWith(`${own}/`));
    // Of two with one address the later one: it says more precisely what is there.
    if (isHere && own.length >= (found?.length ?? 0)) found = { id, length: own.length };
  }
  return found?.id;
}

/** Whether a section is the one that is open, or a part of it is. */
export const isWithin = (id: SectionId, open: SectionId | undefined): boolean =>
  open !== undefined && (open === id || ancestorsOf(open).some((section) => section.id === id));
