import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { projectQuery } from "../../api/queries.ts";
import { Page } from "../../navigation/Page.tsx";
import { SettingsArea } from "../../navigation/SettingsArea.tsx";
import type { SettingsSection } from "../../paths.ts";
import { FormBones } from "../../ui/Bones.tsx";
import fields from "../../ui/settings/Settings.module.css";
import { Answer } from "../../ui/States.tsx";
import { Alerts } from "./alerts/Alerts.tsx";
import { General } from "./General.tsx";
import { HighValueAccounts } from "./HighValueAccounts.tsx";
import { Keys } from "./Keys.tsx";
import { Limits } from "./Limits.tsx";
import { Repositories } from "./Repositories.tsx";
import { Retention } from "./Retention.tsx";
import { Scrubbing } from "./Scrubbing.tsx";
import { Quarantine } from "./quarantine/Quarantine.tsx";

/** The settings of a project; its alerts are a separate section. */
export default function SettingsPage() {
  const { projectId, section } = useParams({ from: "/inside/projects/$projectId/settings/$section" });
  return section === "alerts" ? (
    <AlertsPage project={projectId} />
  ) : (
    <Sections projectId={projectId} section={section} />
  );
}

function AlertsPage({ project }: { project: number }) {
  return (
    <Page section="alerts">
      <div className={`${fields.section} ${fields.fields}`}>
        <Alerts project={project} />
      </div>
    </Page>
  );
}

interface Props {
  projectId: number;
  section: Exclude<SettingsSection, "alerts">;
}

function Sections({ projectId, section }: Props) {
  const project = useQuery(projectQuery(projectId));
  return (
    <SettingsArea section={`project-${section}`}>
      <Answer query={project} what="The project" bones={<FormBones />}>
        {(found) => {
          switch (section) {
            case "general":
              return <General project={found} />;
            case "keys":
              return <Keys project={projectId} />;
            case "limits":
              return <Limits project={projectId} />;
            case "repositories":
              return <Repositories project={found} />;
            case "high-value":
              return <HighValueAccounts project={found} />;
            case "retention":
              return <Retention project={found} />;
            case "scrubbing":
              return <Scrubbing project={found} />;
            case "set-aside":
              return <Quarantine project={found} />;
          }
        }}
      </Answer>
    </SettingsArea>
  );
}
