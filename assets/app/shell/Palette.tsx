import { useMantineColorScheme } from "@mantine/core";
import { Spotlight, type SpotlightActionData } from "@mantine/spotlight";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  Building2,
  CircleAlert,
  CircleHelp,
  FolderOpen,
  LogOut,
  Moon,
  Plus,
  Rocket,
  ScrollText,
  Search,
  Settings,
  Tag,
  User,
} from "lucide-react";
import { useState } from "react";
import { useMany } from "../api/instance.ts";
import { namedIssueQuery, projectsQuery } from "../api/queries.ts";
import { accountNames } from "../pages/account/names.ts";
import { sectionNames as organizationNames, sectionsOf } from "../pages/organization/names.ts";
import { accountSections, paths, settingsSections } from "../paths.ts";
import { useCurrentProject, useMayCreate, useOrganizations } from "./current.ts";
import { oneLine } from "../ui/visible.ts";
import { prefixOf, shortIdPrefix } from "./short-id.ts";
import { useSignOut } from "./sign-out.ts";

const icon = { size: "1rem", "aria-hidden": true } as const;
const sectionNames = {
  general: "General",
  keys: "Keys",
  limits: "Limits",
  scrubbing: "Scrubbing",
  "set-aside": "Set aside",
};

/** ⌘K: every page, every project, and the search for issues. */
export default function Palette({ help }: { help: () => void }) {
  const [query, setQuery] = useState("");
  const actions = useActions(query.trim(), help);
  return (
    <Spotlight
      actions={actions}
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={() => setQuery("")}
      shortcut={null}
      nothingFound="Nothing of this name"
      highlightQuery
      scrollable
      overlayProps={{ blur: 0 }}
      attributes={{ content: { "aria-label": "Go to" } }}
      // A name of one long word stays inside.
      styles={{ actionBody: { minWidth: 0, overflowWrap: "anywhere" } }}
      maxHeight="60dvh"
      searchProps={{
        leftSection: <Search {...icon} />,
        placeholder: "Go to a page, a project, or search issues",
        "aria-label": "Go to",
      }}
    />
  );
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

type Group = { group: string; actions: SpotlightActionData[] };

function useActions(query: string, help: () => void): Group[] {
  const navigate = useNavigate();
  const projects = useQuery(projectsQuery).data ?? [];
  const projectId = useCurrentProject();
  const organizations = useOrganizations();
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const mayCreate = useMayCreate();
  const many = useMany();
  const go = (href: string) => () => void navigate({ href });

  const named = useNamedIssues(query);

  const groups: Group[] = [];
  if (named.length > 0) {
    groups.push({
      group: "Issues",
      actions: named.map(({ id, project_id, short_id, title }) => ({
        id: `issue-${id}`,
        label: `${short_id} ${oneLine(title)}`,
        leftSection: <CircleAlert {...icon} />,
        onClick: go(paths.issue(project_id, id)),
      })),
    });
  }
  if (projectId !== undefined) groups.push({ group: "This project", actions: projectActions(projectId, go) });
  groups.push({
    group: "Projects",
    actions: [
      ...projects.map((project) => ({
        id: `project-${project.id}`,
        label: oneLine(project.name),
        ...(organizations.length > 1 ? { description: oneLine(project.organization.name) } : {}),
        leftSection: <FolderOpen {...icon} />,
        onClick: go(paths.issues(project.id)),
      })),
      ...(mayCreate
        ? [{ id: "new-project", label: "New project", leftSection: <Plus {...icon} />, onClick: go(paths.newProject) }]
        : []),
      ...(many
        ? [
            {
              id: "new-organization",
              label: "New organization",
              leftSection: <Plus {...icon} />,
              onClick: go(paths.newOrganization),
            },
          ]
        : []),
    ],
  });
  for (const { id, name } of organizations) {
    const same = organizations.some((other) => other.id !== id && oneLine(other.name) === oneLine(name));
    groups.push({ group: `${oneLine(name)}${same ? ` (${id})` : ""}`, actions: organizationActions(id, many, go) });
  }
  groups.push({ group: "You", actions: accountActions(go) });
  const scheme = (id: "light" | "dark" | "auto", name: string) => ({
    id,
    label: `Appearance: ${name}`,
    leftSection: <Moon {...icon} />,
    onClick: () => setColorScheme(id),
  });
  groups.push({
    group: "Mayday",
    actions: [
      scheme("light", "light"),
      scheme("dark", "dark"),
      scheme("auto", "as the system"),
      { id: "help", label: "Keyboard shortcuts", leftSection: <CircleHelp {...icon} />, onClick: help },
      { id: "sign-out", label: "Sign out", leftSection: <LogOut {...icon} />, onClick: () => void signOut() },
    ],
  });
  if (projectId !== undefined && query !== "") {
    const search = { id: "search", label: `Search issues for “${query}”`, leftSection: <Search {...icon} /> };
    const logs = { id: "search-logs", label: `Search logs for “${query}”`, leftSection: <ScrollText {...icon} /> };
    groups.push({
      group: "Search",
      actions: [
        { ...search, onClick: go(paths.issues(projectId, query)) },
        { ...logs, onClick: go(paths.logs(projectId, { query })) },
      ],
    });
  }
  return groups;
}

function projectActions(project: number, go: (href: string) => () => void): SpotlightActionData[] {
  const actions: SpotlightActionData[] = [
    { id: "issues", label: "Issues", leftSection: <CircleAlert {...icon} />, onClick: go(paths.issues(project)) },
    { id: "logs", label: "Logs", leftSection: <ScrollText {...icon} />, onClick: go(paths.logs(project)) },
    { id: "releases", label: "Releases", leftSection: <Tag {...icon} />, onClick: go(paths.releases(project)) },
    {
      id: "start",
      label: "Set up: snippets and a test event",
      leftSection: <Rocket {...icon} />,
      onClick: go(paths.start(project)),
    },
    ...settingsSections.map((section) => ({
      id: `settings-${section}`,
      label: `Settings: ${sectionNames[section]}`,
      leftSection: <Settings {...icon} />,
      onClick: go(paths.settings(project, section)),
    })),
  ];
  return actions;
}

const organizationActions = (
  organization: number,
  many: boolean | undefined,
  go: (href: string) => () => void,
): SpotlightActionData[] =>
  sectionsOf(many).map((section) => ({
    id: `organization-${organization}-${section}`,
    label: `Organization: ${organizationNames[section]}`,
    leftSection: <Building2 {...icon} />,
    onClick: go(paths.organization(organization, section)),
  }));

const accountActions = (go: (href: string) => () => void): SpotlightActionData[] =>
  accountSections.map((section) => ({
    id: `account-${section}`,
    label: `Account: ${accountNames[section]}`,
    leftSection: <User {...icon} />,
    onClick: go(paths.account(section)),
  }));
