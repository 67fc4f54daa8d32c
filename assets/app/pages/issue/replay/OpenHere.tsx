import { Button } from "@mantine/core";
import { Play } from "lucide-react";
import { useAxis } from "../axis/context.ts";

/** Of the button, which has the focus again once the player is closed. */
export const openerId = "open-replay-here";

/** Opens the player of the replay on the page of the event, at a time in milliseconds after it. */
export function OpenHere({ at }: { at: number }) {
  const { here } = useAxis();
  return (
    <Button
      id={openerId}
      size="compact-sm"
      variant="default"
      leftSection={<Play size="1em" aria-hidden />}
      onClick={() => here.go(at)}
    >
      Show the replay here
    </Button>
  );
}
