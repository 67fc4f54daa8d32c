import { useMantineColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  CircleAlert,
  CircleHelp,
  FolderOpen,
  LogOut,
  type LucideIcon,
  Moon,
  ScrollText,
  Search,
  Zap,
} from "lucide-react";
import { createElement } from "react";
import { projectsQuery } from "../api/queries.ts";
import { givenViews, useViews, viewSearch } from "../issue-search/views.ts";
import { useOrganizations } from "../navigation/current.ts";
import { limitsOf } from "../navigation/limits.ts";
import { fullName, type OpenSection, openSection, sectionsIn } from "../navigation/lookup.ts";
import { useCapabilities, usePlace } from "../navigation/place.ts";
import { useCarried, useOpenSectionBy } from "../navigation/use-carried.ts";
import { paths } from "../paths.ts";
import { oneLine } from "../ui/visible.ts";
import { currentGroups, type Key, type KeyGroup, useKeyGroups } from "./keys.ts";
import type { PaletteAction, PaletteGroup } from "./palette-filter.ts";
import { useSignOut } from "./sign-out.ts";

type Go = (href: string) => () => void;
type Open = (section: OpenSection) => void;

/** What an action does that leads somewhere. */
function useGo(): Go {
  const navigate = useNavigate();
  return (href) => () => void navigate({ href });
}

/** What an action does that searches issues, within the environment and the period of the page that is open. */
export function useOpenIssues(): (project: number, query: string) => () => void {
  const navigate = useNavigate();
  const limits = useCarried("issues");
  return (project, query) => () => void navigate({ to: paths.issues(project), search: { query, ...limits } });
}

/** Everything that the palette knows by itself; `query` is what may be searched for. */
export function usePaletteActions(query: string, help: () => void): PaletteGroup[] {
  const go = useGo();
  const open = useOpenSectionBy();
  const project = useProjectActions(open);
  const projects = useProjects(go, open);
  const organizations = useOrganizationActions(open);
  const own = useOwnActions(help, open);
  const searches = useSearches(query, go);
  const acts = actsOf(useKeyGroups(), currentGroups);
  const groups = [project, projects, ...organizations, ...own, ...acts, searches];
  return groups.filter(({ actions }) => actions.length > 0);
}

/** How icons of the palette are drawn. */
export const icon = { size: "1rem", "aria-hidden": true } as const;

/** One line of the palette. */
export const action = (
  id: string,
  label: string,
  Icon: LucideIcon,
  onClick: () => void,
  more: object = {},
): PaletteAction => ({
  id,
  label,
  leftSection: createElement(Icon, icon),
  onClick,
  ...more,
});

/**
 * Sections as actions, except those closed to the person. `id` distinguishes two of the same kind, and `owner` is whose
 * they are.
 */
export const sectionActions = (
  sections: readonly (OpenSection | undefined)[],
  open: Open,
  id = "",
  owner = "",
): PaletteAction[] =>
  sections.flatMap((section) =>
    section === undefined || section.locked
      ? []
      : action(section.id + id, fullName(section), section.icon, () => open(section), {
          keywords: [section.keywords ?? "", section.parent ?? "", owner],
        }),
  );

/** How long the focus takes to go back from the palette to the page, in milliseconds. */
const leaving = 50;

/** What can be done on the open page, in the groups of its shortcuts; after where one can go, which changes nothing. */
export const actsOf = (groups: KeyGroup[], now: () => KeyGroup[]): PaletteGroup[] =>
  groups.map(({ name, keys }, at) => {
    /** Does what was listed if the page still offers it; the same keys may do something else by now. */
    const run = ({ keys, does }: Key) => {
      const same = now().flatMap((group) => (group.name === name ? group.keys : []));
      same.findLast((key) => key.isAct && key.keys === keys && key.does === does)?.run();
    };
    return {
      group: name,
      actions: keys
        .filter(({ isAct }) => isAct)
        // A menu that is opened keeps the focus.
        .map((key) => action(`act-${at}-${key.keys}`, key.does, Zap, () => void setTimeout(() => run(key), leaving))),
    };
  });

/** The sections of the open project, its saved views and its settings. */
function useProjectActions(open: Open): PaletteGroup {
  const place = usePlace();
  const { project } = place;
  const navigate = useNavigate();
  const limits = limitsOf(useCarried("issues"));
  const kept = useViews(project, limits);
  if (project === undefined) return { group: "This project", actions: [] };
  const views = [...kept, ...givenViews].map((view, at) =>
    action(
      `view-${at}`,
      `Issues: ${oneLine(view.name)}`,
      CircleAlert,
      () => void navigate({ to: paths.issues(project), search: viewSearch(view, limits) }),
    ),
  );
  const [main, settings] = (["project", "project-settings"] as const).map((group) =>
    sectionActions(sectionsIn(group, place), open),
  );
  return { group: "This project", actions: [...(main ?? []), ...views, ...(settings ?? [])] };
}

function useProjects(go: Go, open: Open): PaletteGroup {
  const projects = useQuery(projectsQuery).data ?? [];
  const several = useOrganizations().length > 1;
  const capabilities = useCapabilities();
  const all = projects.map(({ id, name, organization }) =>
    action(
      `project-${id}`,
      oneLine(name),
      FolderOpen,
      go(paths.issues(id)),
      several ? { description: oneLine(organization.name) } : {},
    ),
  );
  const creating = (["new-project", "new-organization"] as const).map((id) => openSection(id, {}, capabilities));
  return { group: "Projects", actions: [...all, ...sectionActions(creating, open)] };
}

/** A group for each organization, with its agents and its settings; two of one name are told apart by their numbers. */
function useOrganizationActions(open: Open): PaletteGroup[] {
  const organizations = useOrganizations();
  const capabilities = useCapabilities();
  return organizations.map(({ id, name, role }) => {
    const same = organizations.some((other) => other.id !== id && oneLine(other.name) === oneLine(name));
    const sections = (["automate", "organization-settings"] as const).flatMap((group) =>
      sectionsIn(group, { organization: id, role }, capabilities),
    );
    const group = `${oneLine(name)}${same ? ` (${id})` : ""}`;
    return { group, actions: sectionActions(sections, open, `-${id}`, oneLine(name)) };
  });
}

/** What people also call it. */
const appearance = { keywords: "theme mode colors settings" };

/** What is the person's own, the server's, and the app's. */
function useOwnActions(help: () => void, open: Open): PaletteGroup[] {
  const place = usePlace();
  const capabilities = useCapabilities();
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  return [
    {
      group: "You",
      actions: sectionActions([openSection("notifications", {}), ...sectionsIn("account-settings", {})], open),
    },
    { group: "Instance", actions: sectionActions(sectionsIn("instance-settings", place, capabilities), open) },
    {
      group: "Mayday",
      actions: [
        ...sectionActions([openSection("settings", place)], open),
        action("light", "Appearance: light", Moon, () => setColorScheme("light"), appearance),
        action("dark", "Appearance: dark", Moon, () => setColorScheme("dark"), appearance),
        action("auto", "Appearance: same as system", Moon, () => setColorScheme("auto"), appearance),
        action("help", "Keyboard shortcuts", CircleHelp, help),
        action("sign-out", "Sign out", LogOut, () => void signOut()),
      ],
    },
  ];
}

/** Searches for the typed text; last, because everything that matches comes first. */
function useSearches(query: string, go: Go): PaletteGroup {
  const { project } = usePlace();
  const openIssues = useOpenIssues();
  const logLimits = useCarried("logs");
  if (project === undefined || query === "") return { group: "Search", actions: [] };
  const logs = paths.logs(project, { query, ...logLimits });
  return {
    group: "Search",
    actions: [
      action("search", `Search issues for “${query}”`, Search, openIssues(project, query), { last: true }),
      action("search-logs", `Search logs for “${query}”`, ScrollText, go(logs), { last: true }),
    ],
  };
}
