import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { deleteReplay, replayKeys } from "../../api/replay-queries.ts";
import type { Replay } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { Confirm } from "../../ui/Confirm.tsx";
import { done } from "../../ui/notify.ts";

/** For owners and admins. */
export function DeleteReplay({ project, replay: { replay_id } }: { project: number; replay: Replay }) {
  const [asked, setAsked] = useState(false);
  const cache = useQueryClient();
  const navigate = useNavigate();
  const run = async () => {
    await deleteReplay(project, replay_id);
    await navigate({ to: paths.replays(project) });
    cache.removeQueries({ queryKey: replayKeys.one(project, replay_id) });
    void cache.invalidateQueries({ queryKey: replayKeys.all(project) });
    done("Replay deleted");
  };
  return (
    <>
      <Button variant="outline" color="red" onClick={() => setAsked(true)}>
        Delete…
      </Button>
      <Confirm
        opened={asked}
        close={() => setAsked(false)}
        title="Delete replay?"
        action="Delete replay"
        doing="Deleting…"
        run={run}
      >
        The recording is deleted for everybody. Errors that happened in it stay. This cannot be undone.
      </Confirm>
    </>
  );
}
