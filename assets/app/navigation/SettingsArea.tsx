import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronsUpDown, Lock } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { organizationsQuery, projectsQuery } from "../api/queries.ts";
import fields from "../ui/settings/Settings.module.css";
import { Line } from "../ui/Text.tsx";
import { fullName, groupsIn, type OpenSection, sectionOf, sectionsIn, tabTitle } from "./lookup.ts";
import { Page } from "./Page.tsx";
import { useCapabilities, usePlace } from "./place.ts";
import type { Group, SectionId } from "./sections.ts";
import classes from "./SettingsArea.module.css";

/** The frame of all settings pages (project, organization, person): the list of sections, and the open one. */
export function SettingsArea({ section, children }: { section: SectionId; children: ReactNode }) {
  return (
    <Page title="Settings" tab={tabTitle(section)}>
      <div className={classes.area}>
        <Sections open={section} />
        <div className={`${fields.section} ${fields.fields}`}>{children}</div>
      </div>
    </Page>
  );
}

/** The second column; on a narrow screen it is behind a button with the name of the open section. */
function Sections({ open }: { open: SectionId }) {
  // The section for which the list is unfolded: opening another one folds it.
  const [unfoldedAt, setUnfoldedAt] = useState<SectionId>();
  const list = useId();
  const unfolded = unfoldedAt === open;
  return (
    <nav className={classes.column} aria-label="Settings">
      <button
        type="button"
        className={classes.fold}
        aria-expanded={unfolded}
        aria-controls={list}
        onClick={() => setUnfoldedAt(unfolded ? undefined : open)}
      >
        {fullName(sectionOf(open))}
        <ChevronsUpDown size="0.875rem" aria-hidden />
      </button>
      <div id={list} className={classes.groups} data-unfolded={unfolded || undefined}>
        {groupsIn("settings").map((group) => (
          <SectionGroup key={group.id} group={group} fold={() => setUnfoldedAt(undefined)} />
        ))}
      </div>
    </nav>
  );
}

function SectionGroup({ group, fold }: { group: Group; fold: () => void }) {
  const place = usePlace();
  const capabilities = useCapabilities();
  const heading = useId();
  const entries = sectionsIn(group.id, place, capabilities);
  const name = useNameOf(group);
  if (entries.length === 0) return null;
  return (
    <div role="group" aria-labelledby={heading} className={classes.group}>
      <p className={classes.heading}>
        <span id={heading}>{group.label}</span>
        {name !== undefined && <Line text={name} />}
      </p>
      {entries.map((entry) => (
        <SectionLink key={entry.id} entry={entry} fold={fold} />
      ))}
    </div>
  );
}

function SectionLink({ entry: { to, label, locked }, fold }: { entry: OpenSection; fold: () => void }) {
  return (
    <Link
      to={to}
      className={classes.entry ?? ""}
      activeOptions={{ exact: true, includeSearch: false }}
      resetScroll={false}
      onClick={fold}
    >
      {label}
      {locked && <Lock size="0.75rem" aria-label="for owners and admins" />}
    </Link>
  );
}

/** The name of the project or organization that a group of settings belongs to. */
function useNameOf(group: Group): string | undefined {
  const place = usePlace();
  const projects = useQuery(projectsQuery).data;
  const organizations = useQuery({ ...organizationsQuery, enabled: projects !== undefined }).data;
  if (group.id === "project-settings") return projects?.find(({ id }) => id === place.project)?.name;
  if (group.id === "organization-settings") return organizations?.find(({ id }) => id === place.organization)?.name;
  return undefined;
}
