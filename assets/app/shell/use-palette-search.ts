import { useDebouncedValue } from "@mantine/hooks";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CircleAlert, RotateCw, Tag, User } from "lucide-react";
import { isPassing, messageOf } from "../api/error.ts";
import { foundIssuesQuery, namedIssueQuery, organizationQuery, projectsQuery } from "../api/queries.ts";
import { foundReleasesQuery } from "../api/release-queries.ts";
import type { Issue } from "../api/schema.d.ts";
import { usePlace } from "../navigation/place.ts";
import { useCarried } from "../navigation/use-carried.ts";
import { paths } from "../paths.ts";
import { oneLine } from "../ui/visible.ts";
import type { PaletteAction, PaletteGroup } from "./palette-filter.ts";
import { prefixOf, shortIdPrefix } from "./short-id.ts";
import { action, useOpenIssues } from "./use-palette-actions.ts";

/** Shorter texts have too many results. */
const fewestLetters = 3;
/** How long to wait after a keystroke before searching, in milliseconds. */
const pause = 150;

export interface PaletteSearch {
  groups: PaletteGroup[];
  /** Whether requests are pending. */
  searching: boolean;
}

/** Search results of the server: issues, releases and people of the open project. */
export function usePaletteSearch(query: string): PaletteSearch {
  const navigate = useNavigate();
  const openIssues = useOpenIssues();
  const [typed] = useDebouncedValue(query, pause);
  const { project, organization } = usePlace();
  // What is of the open project keeps its environment and period.
  const limits = { issue: useCarried("issues"), release: useCarried("releases") };
  const named = useNamedIssues(query);
  const enabled = project !== undefined && typed.length >= fewestLetters && shortIdPrefix(typed) === undefined;
  const issues = useQuery({ ...foundIssuesQuery(project ?? 0, typed), enabled });
  const releases = useQuery({ ...foundReleasesQuery(project ?? 0, typed), enabled });
  const people = useQuery({ ...organizationQuery(organization ?? 0), enabled: enabled && organization !== undefined });
  const asked = [issues, releases, people];
  // Results for earlier text are not shown.
  const isOld = typed !== query;

  // An incomplete query, such as `level:`, is still being typed.
  const failed = enabled ? asked.filter(({ error }) => isPassing(error)) : [];
  const again = failed.map(({ error }, at) => ({
    ...action(`again-${at}`, "Search again", RotateCw, () => void failed.map(({ refetch }) => refetch()), {
      description: `The search failed: ${messageOf(error)}`,
      closeSpotlightOnTrigger: false,
    }),
    found: true,
  }));

  const issue = ({ id, project_id, short_id, title }: Issue): PaletteAction => {
    const search = project_id === project ? limits.issue : {};
    const open = () => void navigate({ to: paths.issue(project_id, id), search });
    return { ...action(`issue-${id}`, `${short_id} ${oneLine(title)}`, CircleAlert, open), found: true };
  };
  const release = (version: string): PaletteAction => {
    const open = () => void navigate({ to: paths.release(project ?? 0, version), search: limits.release });
    return { ...action(`release-${version}`, oneLine(version), Tag, open), found: true };
  };
  const members = enabled ? (people.data?.members ?? []) : [];
  const current = <T>(rows: readonly T[] | undefined): readonly T[] => (enabled && !isOld && rows ? rows : []);
  return {
    groups: [
      { group: "Issues", actions: [...named.issues, ...current(issues.data)].map(issue) },
      { group: "Releases", actions: current(releases.data).map(release) },
      {
        group: "People",
        actions: members.map(({ id, name, email }) =>
          action(`person-${id}`, oneLine(name || email), User, openIssues(project ?? 0, `assignee:${email}`), {
            description: `Issues assigned to ${oneLine(email)}`,
          }),
        ),
      },
      // One line, however many of the requests have failed.
      { group: "Search failed", actions: again.slice(0, 1) },
    ],
    searching:
      named.searching || (isOld && query.length >= fewestLetters) || asked.some(({ isFetching }) => isFetching),
  };
}

/** The issues with the typed short id, in any project. */
function useNamedIssues(query: string) {
  const prefix = shortIdPrefix(query);
  const projects = useQuery(projectsQuery).data ?? [];
  const meant = prefix === undefined ? [] : projects.filter(({ slug }) => prefixOf(slug) === prefix);
  return useQueries({
    queries: meant.map(({ id }) => namedIssueQuery(id, query)),
    combine: (answers) => ({
      issues: answers.flatMap(({ data }) => data ?? []),
      searching: answers.some(({ isFetching }) => isFetching),
    }),
  });
}
