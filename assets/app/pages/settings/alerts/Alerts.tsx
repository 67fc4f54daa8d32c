import { useQuery } from "@tanstack/react-query";
import { alertChannelsQuery } from "../../../api/alert-queries.ts";
import { useRights } from "../../../api/role.ts";
import { TableBones } from "../../../ui/Bones.tsx";
import { Answer } from "../../../ui/States.tsx";
import { OnlyAdmins } from "../../../ui/settings/OnlyAdmins.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import { Channels } from "./Channels.tsx";
import { Deliveries } from "./Deliveries.tsx";
import { Rules } from "./Rules.tsx";

/** A project's alert rules and channels. */
export function Alerts({ project }: { project: number }) {
  const { mayAdminister } = useRights(project);
  const channels = useQuery(alertChannelsQuery(project));
  const given = { project, may: mayAdminister };
  return (
    <>
      <p className={classes.lead}>
        Rules send messages to channels, such as a chat or a webhook. What members are told by e-mail and in Mayday is
        up to each of them.
      </p>
      <OnlyAdmins project={project} what="Changing channels and rules" />
      <Answer query={channels} what="The channels" bones={<TableBones />}>
        {({ channels: list }) => (
          <>
            <Channels {...given} channels={list} />
            <Rules {...given} channels={list} />
          </>
        )}
      </Answer>
      <Deliveries project={project} />
    </>
  );
}
