import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { isStatus } from "../../../api/error.ts";
import { replayQuery } from "../../../api/replay-queries.ts";
import type { ReplayDetails } from "../../../api/schema.d.ts";
import { Answer, Empty, Failed } from "../../../ui/States.tsx";
import { PlayerView } from "../../replay/PlayerView.tsx";
import type { Player } from "../../replay/player/player.ts";
import { library } from "../../replay/player/use-player.ts";
import { usePlayerKeys } from "../../replay/player/use-player-keys.ts";
import { useWatch } from "../../replay/player/use-watch.ts";
import type { Sent } from "../axis/use-here.ts";
import { useFollower } from "./use-follower.ts";

// What is known of the replay takes as long to arrive.
void library();

export interface EventPlayerProps {
  project: number;
  /** The id of the replay. */
  replay: string;
  sent: Sent;
  /** Told where the player is, in milliseconds from the beginning. */
  moved: (to: number) => void;
  /** Whether the keyboard is the player's. */
  hasFocus: boolean;
  /** In its place while it is being loaded. */
  bones: ReactNode;
}

/** The replay of an event as far as it is known: the player, small, that goes along with the rows of the page. */
export default function EventPlayer({ replay: id, bones, ...more }: EventPlayerProps) {
  const replay = useQuery(replayQuery(more.project, id));
  if (isStatus(replay.error, 404))
    return (
      <Empty title="Replay not found">
        <p>It was deleted.</p>
      </Empty>
    );
  return (
    <Answer query={replay} what="The replay" bones={bones}>
      {(found) => <Played {...more} replay={found} />}
    </Answer>
  );
}

interface Props extends Omit<EventPlayerProps, "replay" | "bones"> {
  replay: ReplayDetails;
}

function Played({ project, replay, sent, moved, hasFocus }: Props) {
  const watched = useWatch(project, replay, sent.to);
  const { recording, state, player, fullscreen, retry } = watched;
  const { phase, error, isReady } = state;
  useFollower(player, recording, sent, moved);
  if (phase === "failed" && !isReady) return <Failed error={error} what="The recording" retry={retry} />;
  return (
    <>
      <PlayerView project={project} replay={replay} watched={watched} />
      {hasFocus && <Keys player={player} fullscreen={fullscreen} />}
    </>
  );
}

/** The keys of a player, for as long as this is shown. */
function Keys({ player, fullscreen }: { player: Player | undefined; fullscreen: () => void }) {
  usePlayerKeys(player, fullscreen);
  return null;
}
