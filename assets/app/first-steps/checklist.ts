// The steps from a new project to one that is of use, and whether each is done: that is read from the project itself.

import { paths } from "../paths.ts";
import { isMinified, sdkOf } from "./sdks.ts";

/** The facts that decide the steps; `undefined` while unknown. */
export interface Facts {
  /** Keys that work. */
  keys: number | undefined;
  issues: number | undefined;
  /** Whether a release has source maps. */
  hasMaps: boolean | undefined;
  /** Other members of the organization, and people who are invited. */
  others: number | undefined;
}

interface Place {
  project: number;
  organization: number;
  platform: string | null;
  mayAdminister: boolean;
}

export interface ChecklistStep {
  id: "key" | "event" | "maps" | "people";
  label: string;
  to: string;
  /** The part of that page. */
  hash?: string;
  done: boolean | undefined;
}

/** The steps that there are for this person and this project. */
export function stepsOf({ project, organization, platform, mayAdminister }: Place, facts: Facts): ChecklistStep[] {
  const hasEvents = facts.issues === undefined ? undefined : facts.issues > 0;
  const start = paths.start(project);
  const steps: (ChecklistStep | false)[] = [
    mayAdminister && {
      id: "key",
      label: "Create a key",
      to: start,
      hash: "key",
      // An event must have been sent with a key.
      done: hasEvents || (facts.keys === undefined ? undefined : facts.keys > 0),
    },
    { id: "event", label: "Receive an event", to: start, hash: "event", done: hasEvents },
    // A project without a platform may be JavaScript.
    isMinified(sdkOf(undefined, platform)) && {
      id: "maps",
      label: "Upload source maps",
      to: start,
      hash: "maps",
      done: facts.hasMaps,
    },
    mayAdminister && {
      id: "people",
      label: "Invite your team",
      to: paths.organization(organization, "members"),
      done: facts.others === undefined ? undefined : facts.others > 0,
    },
  ];
  return steps.filter((step) => step !== false);
}

export const isSetUp = (steps: readonly ChecklistStep[]): boolean => steps.every(({ done }) => done === true);
