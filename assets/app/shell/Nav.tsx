import { ActionIcon } from "@mantine/core";
import { useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { CircleHelp, PanelLeftClose, PanelLeftOpen, Search } from "lucide-react";
import { memo, useId } from "react";
import { runningSessionsQuery } from "../api/running-sessions.ts";
import { unresolvedCountQuery } from "../api/issue-count.ts";
import { useIdle } from "../hooks/use-idle.ts";
import { askedOf, type IssueSearch, wholeOf } from "../issue-search/address.ts";
import { givenViews, type SavedView, shownView, useViews } from "../issue-search/views.ts";
import { isLimitedPage, type LimitedPage, limitsOf, limitWords } from "../navigation/limits.ts";
import { groupsIn, isWithin, type OpenSection, openSection, sectionsIn } from "../navigation/lookup.ts";
import { useOpenSection, usePlace } from "../navigation/place.ts";
import type { Group, Place } from "../navigation/sections.ts";
import { useCarried } from "../navigation/use-carried.ts";
import { paths } from "../paths.ts";
import { Count } from "../ui/Count.tsx";
import { Deferred } from "../ui/Deferred.tsx";
import { BellButton } from "./BellButton.tsx";
import { ChecklistCard } from "./ChecklistCard.tsx";
import { mod } from "./keys.ts";
import classes from "./Nav.module.css";
import { goingOn } from "./going-on.ts";
import { NavEntry } from "./NavEntry.tsx";
import { PersonButton } from "./PersonButton.tsx";
import { ProjectSwitcher } from "./ProjectSwitcher.tsx";
import { openPalette } from "./palette-store.ts";
import { ViewLinks } from "./ViewLinks.tsx";

const loadBellMenu = () => import("./BellMenu.tsx");
const loadPersonMenu = () => import("./PersonMenu.tsx");

/** In narrower windows the navigation is folded, unless the person has chosen otherwise. */
const tight = "(max-width: 75em)";

/** The navigation on the left; `always` keeps it unfolded (in the drawer of small screens). */
export const Nav = memo(function Nav({ help, always = false }: { help: () => void; always?: boolean }) {
  const [wanted, setFolded] = useLocalStorage<boolean | undefined>({
    key: "mayday.nav-folded",
    defaultValue: undefined,
    getInitialValueInEffect: false,
  });
  const isTight = useMediaQuery(tight, matchMedia(tight).matches, { getInitialValueInEffect: false });
  const folded = (wanted ?? isTight) && !always;
  const fold = folded ? "Unfold the navigation" : "Fold the navigation";
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
      {/* On a small screen it is in the bar. */}
      {!always && (
        <Deferred load={loadBellMenu} props={{ place: folded ? "folded" : "line" }}>
          {(press) => <BellButton place={folded ? "folded" : "line"} {...press} />}
        </Deferred>
      )}
      {groupsIn("main").map((group) => (
        <NavGroup key={group.id} group={group} place={place} folded={folded} />
      ))}
      <div className={classes.space} />
      {place.project !== undefined && <ChecklistCard key={place.project} project={place.project} folded={folded} />}
      <SettingsEntry place={place} folded={folded} />
      <NavEntry label="Shortcuts" folded={folded} icon={CircleHelp} onClick={help} hint="?" />
      <div className={classes.foot}>
        <Deferred load={loadPersonMenu} props={{ folded }}>
          {(press) => <PersonButton folded={folded} {...press} />}
        </Deferred>
        {!always && (
          <ActionIcon aria-label={fold} data-tip={fold} onClick={() => setFolded(!folded)}>
            {folded ? <PanelLeftOpen size="1rem" aria-hidden /> : <PanelLeftClose size="1rem" aria-hidden />}
          </ActionIcon>
        )}
      </div>
    </nav>
  );
});

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
        ) : isLimitedPage(entry.id) ? (
          <LimitedEntry key={entry.id} page={entry.id} entry={entry} folded={folded} />
        ) : entry.id === "agent-sessions" && place.organization !== undefined ? (
          <SessionsEntry key={entry.id} entry={entry} organization={place.organization} folded={folded} />
        ) : (
          <NavEntry key={entry.id} label={entry.label} folded={folded} icon={entry.icon} to={entry.to} />
        ),
      )}
    </div>
  );
}

/** The issues with how many are unresolved within the limits that are chosen, and the saved views. */
function IssuesEntry({ entry, project, folded }: { entry: OpenSection; project: number; folded: boolean }) {
  const view = useOpenView(project);
  const search = useCarried("issues");
  const limits = limitsOf(search);
  const unresolved = useQuery(unresolvedCountQuery(project, limits)).data;
  const unit = `unresolved issues ${limitWords(limits)}`.trimEnd();
  return (
    <>
      <NavEntry
        label={entry.label}
        folded={folded}
        icon={entry.icon}
        to={entry.to}
        search={search}
        hint={unresolved ? <Count of={unresolved} unit={unit} /> : undefined}
        exact={!folded && view !== undefined}
      />
      {!folded && <ViewLinks project={project} open={view} />}
    </>
  );
}

/** The saved view that the list of issues shows. */
function useOpenView(project: number): SavedView | undefined {
  const limits = limitsOf(useCarried("issues"));
  const views = useViews(project, limits);
  const query = useLocation({
    select: ({ pathname, search }) =>
      pathname === paths.issues(project) ? wholeOf(askedOf(search as IssueSearch)) : undefined,
  });
  return query === undefined ? undefined : shownView([...views, ...givenViews], query, limits);
}

/** A page that is limited to the same environment and period as the one before. */
function LimitedEntry({ page, entry, folded }: { page: LimitedPage; entry: OpenSection; folded: boolean }) {
  const search = useCarried(page);
  const open = isWithin(entry.id, useOpenSection());
  return <NavEntry label={entry.label} folded={folded} icon={entry.icon} to={entry.to} search={search} open={open} />;
}

/** The link to agent sessions: says that one waits for a person, or has a dot while one is running. */
function SessionsEntry({ entry, organization, folded }: { entry: OpenSection; organization: number; folded: boolean }) {
  // The page's own requests come first.
  const isIdle = useIdle();
  const { running = 0, waiting = 0 } = useQuery({ ...runningSessionsQuery(organization), enabled: isIdle }).data ?? {};
  const words = goingOn(running, waiting);
  return (
    <NavEntry label={entry.label} folded={folded} icon={entry.icon} to={entry.to} live={words} waits={waiting > 0} />
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
