import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { connectionsQuery } from "../../../api/connection-queries.ts";
import { useRights } from "../../../api/role.ts";

const AttachDialog = lazy(() => import("./AttachDialog.tsx"));
const TicketDialog = lazy(() => import("./TicketDialog.tsx"));

/** What a dialog asks for: a new ticket, or one that the tracker has. */
export type Asked = "create" | "attach";

interface Props {
  project: number;
  issue: number;
  asked: Asked;
  close: () => void;
}

/** The dialog that makes or attaches a ticket. */
export function TicketDialogs({ project, issue, asked, close }: Props) {
  const { organization } = useRights(project);
  const id = organization?.id ?? 0;
  const { data } = useQuery({ ...connectionsQuery(id), enabled: organization !== undefined });
  if (!data) return null;
  const { connections } = data;
  return (
    <Suspense fallback={null}>
      {asked === "attach" ? (
        <AttachDialog
          project={project}
          issue={issue}
          trackers={connections.filter(({ kind }) => kind !== "slack")}
          close={close}
        />
      ) : (
        <TicketDialog organization={id} project={project} issue={issue} connections={connections} close={close} />
      )}
    </Suspense>
  );
}
