import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { projectQuery } from "../../api/queries.ts";
import { paths, type SettingsSection, settingsSections } from "../../paths.ts";
import { Page } from "../../ui/Page.tsx";
import { Answer } from "../../ui/States.tsx";
import { General } from "./General.tsx";
import { Keys } from "./Keys.tsx";
import { Limits } from "./Limits.tsx";
import { Scrubbing } from "./Scrubbing.tsx";
import { Sections } from "../../ui/settings/Sections.tsx";
import { SetAside } from "./set-aside/SetAside.tsx";

const names: Record<SettingsSection, string> = {
  general: "General",
  keys: "Keys",
  limits: "Limits",
  scrubbing: "Scrubbing",
  "set-aside": "Set aside",
};

export default function SettingsPage() {
  const { projectId, section } = useParams({ from: "/inside/projects/$projectId/settings/$section" });
  const project = useQuery(projectQuery(projectId));
  return (
    <Page title="Settings" tab={`${names[section]} · Settings`}>
      <Sections
        label="Settings"
        entries={settingsSections.map((name) => ({ name: names[name], to: paths.settings(projectId, name) }))}
      >
        <Answer query={project} what="The project">
          {(found) => {
            switch (section) {
              case "general":
                return <General project={found} />;
              case "keys":
                return <Keys project={projectId} />;
              case "limits":
                return <Limits project={projectId} />;
              case "scrubbing":
                return <Scrubbing project={found} />;
              case "set-aside":
                return <SetAside project={found} />;
            }
          }}
        </Answer>
      </Sections>
    </Page>
  );
}
