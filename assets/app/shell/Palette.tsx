import { useMantineColorScheme } from "@mantine/core";
import { Spotlight, type SpotlightActionData } from "@mantine/spotlight";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CircleAlert, CircleHelp, FolderOpen, LogOut, type LucideIcon, Moon, ScrollText, Search } from "lucide-react";
import { type KeyboardEvent, memo, useLayoutEffect, useRef, useState } from "react";
import { namedIssueQuery, projectsQuery } from "../api/queries.ts";
import { useOrganizations } from "../navigation/current.ts";
import { fullName, type OpenSection, openSection, sectionsIn } from "../navigation/lookup.ts";
import { useCapabilities, usePlace } from "../navigation/place.ts";
import { givenViews, useOwnViews } from "../pages/issues/views.ts";
import { paths } from "../paths.ts";
import { oneLine } from "../ui/visible.ts";
import { paletteStore, settleMark } from "./palette-store.ts";
import { prefixOf, shortIdPrefix } from "./short-id.ts";
import { useSignOut } from "./sign-out.ts";

/** ⌘K: every page, every project, and the search for issues. */
export default memo(function Palette({ help }: { help: () => void }) {
  const [query, setQuery] = useState("");
  const actions = useActions(query.trim(), help);
  const mark = useMark(actions, query);
  return (
    <Spotlight
      store={paletteStore}
      actions={actions}
      query={query}
      onQueryChange={(text) => {
        mark.reset();
        setQuery(text);
      }}
      onSpotlightOpen={() => setQuery("")}
      shortcut={null}
      nothingFound="Nothing found"
      highlightQuery
      scrollable
      overlayProps={{ blur: 0 }}
      attributes={{ content: { "aria-label": "Go to" } }}
      // A name of one long word stays inside.
      styles={{ actionBody: { minWidth: 0, overflowWrap: "anywhere" } }}
      maxHeight="60dvh"
      searchProps={{
        leftSection: <Search {...icon} />,
        placeholder: "Go to a page or project, or search issues",
        "aria-label": "Go to",
        onKeyDown: mark.onKeyDown,
      }}
    />
  );
});

const icon = { size: "1rem", "aria-hidden": true } as const;

/** Keeps the mark where it belongs when answers arrive that were asked for while somebody typed. */
function useMark(groups: Group[], query: string) {
  const hasMoved = useRef(false);
  const listed = groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the list
  useLayoutEffect(() => {
    if (query !== "") settleMark(hasMoved.current);
  }, [listed, query]);
  return {
    reset: () => {
      hasMoved.current = false;
    },
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === "ArrowDown" || key === "ArrowUp") hasMoved.current = true;
    },
  };
}

/** The issues whose short id was typed, of whichever project. */
function useNamedIssues(query: string) {
  const prefix = shortIdPrefix(query);
  const projects = useQuery(projectsQuery).data ?? [];
  const meant = prefix === undefined ? [] : projects.filter(({ slug }) => prefixOf(slug) === prefix);
  return useQueries({
    queries: meant.map(({ id }) => namedIssueQuery(id, query)),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  });
}

type Action = SpotlightActionData & { id: string };
type Group = { group: string; actions: Action[] };
type Go = (href: string) => () => void;

function useActions(query: string, help: () => void): Group[] {
  const navigate = useNavigate();
  const go: Go = (href) => () => void navigate({ href });
  const found = useFound(query, go);
  const project = useProjectActions(go);
  const projects = useProjects(go);
  const organizations = useOrganizationActions(go);
  const own = useOwnActions(help, go);
  const searches = useSearches(query, go);
  const groups = [found, project, projects, ...organizations, ...own, searches];
  return groups.filter(({ actions }) => actions.length > 0);
}

const action = (id: string, label: string, Icon: LucideIcon, onClick: () => void, more: object = {}): Action => ({
  id,
  label,
  leftSection: <Icon {...icon} />,
  onClick,
  ...more,
});

/** Sections as actions; what is closed to the person is left out. `id` tells two of one kind apart. */
const sectionActions = (sections: readonly (OpenSection | undefined)[], go: Go, id = ""): Action[] =>
  sections.flatMap((section) =>
    section === undefined || section.locked
      ? []
      : action(section.id + id, fullName(section), section.icon, go(section.to), { keywords: section.keywords ?? "" }),
  );

function useFound(query: string, go: Go): Group {
  const actions = useNamedIssues(query).map(({ id, project_id, short_id, title }) =>
    action(`issue-${id}`, `${short_id} ${oneLine(title)}`, CircleAlert, go(paths.issue(project_id, id))),
  );
  return { group: "Issues", actions };
}

/** The sections of the open project, its saved views and its settings. */
function useProjectActions(go: Go): Group {
  const place = usePlace();
  const { project } = place;
  const [ownViews] = useOwnViews(project ?? 0);
  if (project === undefined) return { group: "This project", actions: [] };
  const views = [...ownViews, ...givenViews].map(({ name, query }, at) =>
    action(`view-${at}`, `Issues: ${oneLine(name)}`, CircleAlert, go(paths.issues(project, query))),
  );
  const [main, settings] = (["project", "project-settings"] as const).map((group) =>
    sectionActions(sectionsIn(group, place), go),
  );
  return { group: "This project", actions: [...(main ?? []), ...views, ...(settings ?? [])] };
}

function useProjects(go: Go): Group {
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
  return { group: "Projects", actions: [...all, ...sectionActions(creating, go)] };
}

/** A group for each organization; two of one name are told apart by their numbers. */
function useOrganizationActions(go: Go): Group[] {
  const organizations = useOrganizations();
  const capabilities = useCapabilities();
  return organizations.map(({ id, name, role }) => {
    const same = organizations.some((other) => other.id !== id && oneLine(other.name) === oneLine(name));
    const sections = sectionsIn("organization-settings", { organization: id, role }, capabilities);
    return { group: `${oneLine(name)}${same ? ` (${id})` : ""}`, actions: sectionActions(sections, go, `-${id}`) };
  });
}

/** What is the person's own, and the app's. */
function useOwnActions(help: () => void, go: Go): Group[] {
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  return [
    {
      group: "You",
      actions: sectionActions([openSection("notifications", {}), ...sectionsIn("account-settings", {})], go),
    },
    {
      group: "Mayday",
      actions: [
        action("light", "Appearance: light", Moon, () => setColorScheme("light")),
        action("dark", "Appearance: dark", Moon, () => setColorScheme("dark")),
        action("auto", "Appearance: same as system", Moon, () => setColorScheme("auto")),
        action("help", "Keyboard shortcuts", CircleHelp, help),
        action("sign-out", "Sign out", LogOut, () => void signOut()),
      ],
    },
  ];
}

/** What was typed, as a search; last, because everything that has the words in its name comes first. */
function useSearches(query: string, go: Go): Group {
  const { project } = usePlace();
  if (project === undefined || query === "") return { group: "Search", actions: [] };
  return {
    group: "Search",
    actions: [
      action("search", `Search issues for “${query}”`, Search, go(paths.issues(project, query))),
      action("search-logs", `Search logs for “${query}”`, ScrollText, go(paths.logs(project, { query }))),
    ],
  };
}
