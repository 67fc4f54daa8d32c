import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { isStatus } from "../../api/error.ts";
import { replayQuery } from "../../api/replay-queries.ts";
import type { ReplayDetails } from "../../api/schema.d.ts";
import { useRights } from "../../api/role.ts";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { Bone } from "../../ui/Bones.tsx";
import { Answer, Empty } from "../../ui/States.tsx";
import { oneLine } from "../../ui/visible.ts";
import { nameOf } from "../replays/words.ts";
import { DeleteReplay } from "./DeleteReplay.tsx";
import { Facts } from "./Facts.tsx";
import { library } from "./player/use-player.ts";
import classes from "./Watch.module.css";
import { Watch } from "./Watch.tsx";

// Loaded in parallel with the replay's data, because every replay needs it.
void library();

const from = "/inside/projects/$projectId/replays/$replayId";

export default function ReplayPage() {
  const { projectId, replayId } = useParams({ from });
  const { t = 0 } = useSearch({ from });
  const replay = useQuery(replayQuery(projectId, replayId));
  const { mayAdminister } = useRights(projectId);
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
            <Watch key={replayId} project={projectId} replay={found} at={t * 1_000} />
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

/** In the place of a replay that is being loaded. */
const ReplayBones = () => (
  <div className={classes.watch}>
    <div className={classes.main}>
      <div className={classes.stage} />
    </div>
    <div className={classes.side}>
      {["8rem", "11rem", "6rem"].map((width) => (
        <p key={width}>
          <Bone width={width} />
        </p>
      ))}
    </div>
  </div>
);
