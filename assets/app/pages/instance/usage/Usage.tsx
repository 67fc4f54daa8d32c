import { useQuery } from "@tanstack/react-query";
import { instanceUsageQuery } from "../../../api/usage-queries.ts";
import { Alarm } from "../../../ui/Alarm.tsx";
import { TableBones } from "../../../ui/Bones.tsx";
import { Bytes } from "../../../ui/Bytes.tsx";
import settings from "../../../ui/settings/Settings.module.css";
import { Answer } from "../../../ui/States.tsx";
import { Time } from "../../../ui/Time.tsx";
import { OnlyOperators } from "../OnlyOperators.tsx";
import { Growth } from "./Growth.tsx";
import { KindBar } from "./KindBar.tsx";
import { ProjectTable } from "./ProjectTable.tsx";

/** The use of the disk, by kind and by project, and its growth. */
export function Usage() {
  const usage = useQuery(instanceUsageQuery);
  return (
    <>
      <h2>Usage</h2>
      <OnlyOperators error={usage.error}>
        <Answer query={usage} what="The usage of the disk" bones={<TableBones rows={8} columns={3} />}>
          {(found) => (
            <>
              <p className={settings.lead}>
                The data directory holds <Bytes of={found.bytes} />, measured <Time at={found.measured_at} />.
              </p>
              <Alarm
                error={
                  found.free_bytes < found.floor_bytes
                    ? "Events, logs, replays and source maps are refused until there is room again."
                    : undefined
                }
                what="The disk is nearly full."
              />
              <Growth usage={found} />
              <KindBar kinds={found.kinds} all={found.bytes} />
              <ProjectTable projects={found.projects} all={found.bytes} />
            </>
          )}
        </Answer>
      </OnlyOperators>
    </>
  );
}
