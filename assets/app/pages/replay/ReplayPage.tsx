import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { isStatus } from "../../api/error.ts";
import type { ReplayDetails } from "../../api/schema.d.ts";
import { useRights } from "../../api/role.ts";
import { paths } from "../../paths.ts";
import { Page } from "../../ui/Page.tsx";
import { Answer, Empty } from "../../ui/States.tsx";
import { oneLine } from "../../ui/visible.ts";
import { nameOf } from "../replays/words.ts";
import { ReplayBones } from "./Bones.tsx";
import { DeleteReplay } from "./DeleteReplay.tsx";
import { Facts } from "./Facts.tsx";
import { library } from "./player/use-player.ts";
import { replayQuery } from "./queries.ts";
import { Watch } from "./Watch.tsx";

// Loaded in parallel with the replay's data, because every replay needs it.
void library();

const from = "/inside/projects/$projectId/replays/$replayId";

export default function ReplayPage() {
  const { projectId, replayId } = useParams({ from });
  const { t = 0 } = useSearch({ from });
  const replay = useQuery(replayQuery(projectId, replayId));
  const { mayAdminister } = useRights(projectId);
  // Where it begins is a matter of the address as it was opened.
  const [at] = useState(t * 1_000);
  if (isStatus(replay.error, 404)) return <NoSuchReplay project={projectId} />;
  const title = replay.data ? oneLine(nameOf(replay.data)) : "Replay";
  return (
    <Page
      section="replay"
      title={title}
      wide
      actions={mayAdminister && replay.data && <DeleteReplay project={projectId} replay={replay.data} />}
    >
      <Answer query={replay} what="The replay" bones={<ReplayBones />}>
        {(found: ReplayDetails) => (
          <>
            <Facts replay={found} />
            <Watch key={replayId} project={projectId} replay={found} at={at} />
          </>
        )}
      </Answer>
    </Page>
  );
}

function NoSuchReplay({ project }: { project: number }) {
  return (
    <Page title="No such replay" bare>
      <Empty
        title="Replay not found"
        action={
          <Button component={Link} to={paths.replays(project)} variant="default">
            All replays
          </Button>
        }
      >
        <p>It was deleted, or the address is wrong.</p>
      </Empty>
    </Page>
  );
}
