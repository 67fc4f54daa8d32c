import { useParams } from "@tanstack/react-router";
import { SettingsArea } from "../../navigation/SettingsArea.tsx";
import type { InstanceSection } from "../../paths.ts";
import { Backups } from "./backups/Backups.tsx";
import { Overview } from "./overview/Overview.tsx";
import { InstanceRetention } from "./retention/InstanceRetention.tsx";
import { Usage } from "./usage/Usage.tsx";

/** The pages for administrators of the instance. */
export default function InstancePage() {
  const { section = "overview" } = useParams({ strict: false }) as { section?: InstanceSection };
  return (
    <SettingsArea section={`instance-${section}`}>
      {section === "overview" && <Overview />}
      {section === "usage" && <Usage />}
      {section === "retention" && <InstanceRetention />}
      {section === "backups" && <Backups />}
    </SettingsArea>
  );
}
