import { ActionIcon, Tooltip } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { CircleHelp, PanelLeftClose, PanelLeftOpen, Search } from "lucide-react";
import { useId } from "react";
import { issueCountQuery } from "../api/queries.ts";
import { groupsIn, isWithin, type OpenSection, openSection, sectionsIn } from "../navigation/lookup.ts";
import { useOpenSection, usePlace } from "../navigation/place.ts";
import type { Group, Place } from "../navigation/sections.ts";
import { Count } from "../ui/Count.tsx";
import { ChecklistCard } from "./ChecklistCard.tsx";
import { mod } from "./keys.ts";
import classes from "./Nav.module.css";
import { NavEntry } from "./NavEntry.tsx";
import { openPalette } from "./palette-store.ts";
import { PersonMenu } from "./PersonMenu.tsx";
import { ProjectSwitcher } from "./ProjectSwitcher.tsx";
import { useOpenView } from "./use-open-view.ts";
import { ViewLinks } from "./ViewLinks.tsx";

/** The navigation at the left; `always` keeps its words (in the drawer of small screens). */
export function Nav({ help, always = false }: { help: () => void; always?: boolean }) {
  const [wanted, setFolded] = useLocalStorage({ key: "mayday.nav-folded", defaultValue: false });
  const folded = wanted && !always;
  const place = usePlace();
  return (
    <nav className={classes.nav} aria-label="Main" data-folded={folded || undefined}>
      <ProjectSwitcher folded={folded} />
      <NavEntry
        label="Search"
        folded={folded}
        icon={Search}
        onClick={openPalette}
        hint={mod === "⌘" ? "⌘K" : `${mod} K`}
      />
      {groupsIn("main").map((group) => (
        <NavGroup key={group.id} group={group} place={place} folded={folded} />
      ))}
      <div className={classes.space} />
      {place.project !== undefined && <ChecklistCard key={place.project} project={place.project} folded={folded} />}
      <SettingsEntry place={place} folded={folded} />
      <NavEntry label="Shortcuts" folded={folded} icon={CircleHelp} onClick={help} hint="?" />
      <div className={classes.foot}>
        <PersonMenu folded={folded} />
        {!always && (
          <Tooltip label={folded ? "Unfold the navigation" : "Fold the navigation"}>
            <ActionIcon
              aria-label={folded ? "Unfold the navigation" : "Fold the navigation"}
              onClick={() => setFolded(!folded)}
            >
              {folded ? <PanelLeftOpen size="1rem" aria-hidden /> : <PanelLeftClose size="1rem" aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
      </div>
    </nav>
  );
}

function NavGroup({ group, place, folded }: { group: Group; place: Place; folded: boolean }) {
  const heading = useId();
  const entries = sectionsIn(group.id, place);
  if (entries.length === 0) return null;
  return (
    <div role="group" aria-labelledby={heading} className={classes.section}>
      <p id={heading} className={folded ? "unseen" : classes.heading}>
        {group.label}
      </p>
      {entries.map((entry) =>
        entry.id === "issues" && place.project !== undefined ? (
          <IssuesEntry key={entry.id} entry={entry} project={place.project} folded={folded} />
        ) : (
          <NavEntry key={entry.id} label={entry.label} folded={folded} icon={entry.icon} to={entry.to} />
        ),
      )}
    </div>
  );
}

/** The issues with how many are unresolved, and the saved views. */
function IssuesEntry({ entry, project, folded }: { entry: OpenSection; project: number; folded: boolean }) {
  const unresolved = useQuery(issueCountQuery(project, { status: "unresolved" })).data;
  const view = useOpenView(project);
  return (
    <>
      <NavEntry
        label={entry.label}
        folded={folded}
        icon={entry.icon}
        to={entry.to}
        hint={unresolved ? <Count of={unresolved} unit="unresolved issues" /> : undefined}
        exact={!folded && view !== undefined}
      />
      {!folded && <ViewLinks project={project} open={view} />}
    </>
  );
}

/** All settings: of the project, the organization and the person. */
function SettingsEntry({ place, folded }: { place: Place; folded: boolean }) {
  const settings = openSection("settings", place);
  const open = useOpenSection();
  if (!settings) return null;
  return (
    <NavEntry
      label={settings.label}
      folded={folded}
      icon={settings.icon}
      to={settings.to}
      open={isWithin("settings", open)}
    />
  );
}
