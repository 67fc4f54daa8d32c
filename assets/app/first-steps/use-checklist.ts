import { useLocalStorage } from "@mantine/hooks";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { unresolvedCountQuery } from "../api/issue-count.ts";
import { invitationsQuery } from "../api/invitations.ts";
import { mappedReleasesQuery } from "../api/mapped-releases.ts";
import { issueCountQuery, meQuery, organizationQuery, projectsQuery } from "../api/queries.ts";
import { useIdle } from "../hooks/use-idle.ts";
import { type ChecklistStep, isSetUp, stepsOf } from "./checklist.ts";
import { activeKeysQuery } from "./keys.ts";

export interface Checklist {
  /** The steps in order; empty until their state is known. */
  steps: ChecklistStep[];
  /** `hidden`: dismissed by the person. `done`: all steps are done, and nothing is requested any more. */
  state: "shown" | "hidden" | "done";
  hide: () => void;
  show: () => void;
}

/** The checklist of a project, as this person has left it in this browser. */
export function useChecklist(project: number): Checklist {
  const me = useQuery({ ...meQuery, enabled: false }).data?.id ?? 0;
  const [state, setState] = useLocalStorage<Checklist["state"]>({
    key: `mayday.checklist.${me}.${project}`,
    defaultValue: "shown",
    getInitialValueInEffect: false,
  });
  // The page's own requests come first.
  const isIdle = useIdle();
  const steps = useSteps(project, state === "shown" && isIdle);
  const isDone = steps.length > 0 && isSetUp(steps);
  useEffect(() => {
    if (isDone) setState("done");
  }, [isDone, setState]);
  return {
    steps,
    state: isDone ? "done" : state,
    hide: () => setState("hidden"),
    show: () => setState("shown"),
  };
}

/** The steps, when all are known. */
function useSteps(project: number, enabled: boolean): ChecklistStep[] {
  const record = useQuery(projectsQuery).data?.find(({ id }) => id === project);
  const organization = record?.organization.id ?? 0;
  const mayAdminister = record !== undefined && record.organization.role !== "member";
  const asks = enabled && record !== undefined;
  // The navigation already counts unresolved issues; only if there are none, all may be resolved.
  const open = useQuery({ ...unresolvedCountQuery(project), enabled: asks }).data;
  const all = useQuery({ ...issueCountQuery(project), enabled: asks && open === 0 }).data;
  const keys = useQuery({ ...activeKeysQuery(project), enabled: asks && mayAdminister && all === 0 }).data;
  const hasMaps = useQuery({ ...mappedReleasesQuery(project), enabled: asks }).data;
  const members = useQuery({ ...organizationQuery(organization), enabled: asks && mayAdminister }).data?.member_count;
  const invited = useInfiniteQuery({
    ...invitationsQuery(organization, "pending"),
    enabled: asks && mayAdminister && members === 1,
  }).data?.pages[0]?.total;
  if (!asks) return [];
  const facts = {
    keys: keys?.length,
    issues: open === 0 ? all : open,
    hasMaps,
    others: members === 1 ? invited : members === undefined ? undefined : members - 1,
  };
  const steps = stepsOf({ project, organization, platform: record.platform, mayAdminister }, facts);
  return steps.some(({ done }) => done === undefined) ? [] : steps;
}
