import { ActionIcon, Tooltip } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { openSpotlight } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  Building2,
  CircleAlert,
  CircleHelp,
  PanelLeftClose,
  PanelLeftOpen,
  Rocket,
  ScrollText,
  Search,
  Settings,
  Tag,
} from "lucide-react";
import type { ReactNode } from "react";
import { issueCountQuery } from "../api/queries.ts";
import { paths } from "../paths.ts";
import { Count } from "../ui/Count.tsx";
import { useCurrentOrganization, useCurrentProject } from "./current.ts";
import { mod } from "./Help.tsx";
import { PersonMenu } from "./PersonMenu.tsx";
import { ProjectSwitcher } from "./ProjectSwitcher.tsx";
import classes from "./Nav.module.css";

/** The navigation at the left; `always` keeps its words (in the drawer of small screens). */
export function Nav({ help, always = false }: { help: () => void; always?: boolean }) {
  const [wanted, setFolded] = useLocalStorage({ key: "mayday.nav-folded", defaultValue: false });
  const folded = wanted && !always;
  const projectId = useCurrentProject();
  const organization = useCurrentOrganization();
  return (
    <nav className={classes.nav} aria-label="Main" data-folded={folded || undefined}>
      <ProjectSwitcher folded={folded} />
      <Entry
        label="Search"
        folded={folded}
        icon={<Search size="1rem" aria-hidden />}
        onClick={openSpotlight}
        hint={mod === "⌘" ? "⌘K" : `${mod} K`}
      />
      {projectId !== undefined && <ProjectEntries project={projectId} folded={folded} />}
      {organization && (
        <Entry
          label="Organization"
          folded={folded}
          to={paths.organization(organization.id)}
          icon={<Building2 size="1rem" aria-hidden />}
        />
      )}
      <div className={classes.space} />
      <Entry label="Shortcuts" folded={folded} icon={<CircleHelp size="1rem" aria-hidden />} onClick={help} hint="?" />
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

function ProjectEntries({ project, folded }: { project: number; folded: boolean }) {
  const open = useQuery(issueCountQuery(project, { status: "unresolved" }));
  return (
    <>
      <Entry
        label="Issues"
        folded={folded}
        to={paths.issues(project)}
        icon={<CircleAlert size="1rem" aria-hidden />}
        hint={open.data ? <Count of={open.data} unit="unresolved issues" /> : undefined}
      />
      <Entry label="Logs" folded={folded} to={paths.logs(project)} icon={<ScrollText size="1rem" aria-hidden />} />
      <Entry label="Releases" folded={folded} to={paths.releases(project)} icon={<Tag size="1rem" aria-hidden />} />
      <Entry label="Set up" folded={folded} to={paths.start(project)} icon={<Rocket size="1rem" aria-hidden />} />
      <Entry
        label="Settings"
        folded={folded}
        to={paths.settings(project)}
        icon={<Settings size="1rem" aria-hidden />}
      />
    </>
  );
}

interface EntryProps {
  label: string;
  folded: boolean;
  icon: ReactNode;
  hint?: ReactNode;
  to?: string;
  onClick?: () => void;
}

function Entry({ label, folded, icon, hint, to, onClick }: EntryProps) {
  const inside = (
    <>
      {icon}
      <span className={folded ? "unseen" : "cut"}>{label}</span>
      {!folded && hint !== undefined && <span className={classes.hint}>{hint}</span>}
    </>
  );
  const entry = to ? (
    <Link to={to.replace(/\/general$/, "")} className={classes.entry} activeProps={{ "aria-current": "page" }}>
      {inside}
    </Link>
  ) : (
    <button type="button" className={classes.entry} onClick={onClick}>
      {inside}
    </button>
  );
  return folded ? (
    <Tooltip label={label} position="right">
      {entry}
    </Tooltip>
  ) : (
    entry
  );
}
