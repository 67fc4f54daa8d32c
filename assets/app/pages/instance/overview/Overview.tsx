import { useQuery } from "@tanstack/react-query";
import { overviewQuery } from "../../../api/instance-queries.ts";
import { TableBones } from "../../../ui/Bones.tsx";
import settings from "../../../ui/settings/Settings.module.css";
import { Answer } from "../../../ui/States.tsx";
import { OnlyOperators } from "../OnlyOperators.tsx";
import { Announce } from "./Announce.tsx";
import { Facts } from "./Facts.tsx";
import { Health } from "./Health.tsx";
import { Jobs } from "./Jobs.tsx";
import { UpdateNote } from "./UpdateNote.tsx";
import { HeartbeatContent } from "./HeartbeatContent.tsx";

/** The server: its health, version, configuration, heartbeat and jobs. */
export function Overview() {
  const overview = useQuery(overviewQuery);
  return (
    <>
      <h2>Overview</h2>
      <p className={settings.lead}>
        This server and how it is set up. The server reads its settings from its environment when it starts.
      </p>
      <OnlyOperators error={overview.error}>
        <Answer query={overview} what="The overview" bones={<TableBones rows={8} columns={2} />}>
          {(found) => (
            <>
              <Health of={found} />
              <UpdateNote update={found.update} />
              <Facts of={found} />
              <Announce />
              <Jobs jobs={found.jobs} />
              <HeartbeatContent of={found.heartbeat} />
            </>
          )}
        </Answer>
      </OnlyOperators>
    </>
  );
}
