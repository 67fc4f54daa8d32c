import { ActionIcon } from "@mantine/core";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import { JsonTree } from "../../../ui/JsonTree.tsx";
import type { CallLocals } from "./frames.ts";
import classes from "./Stack.module.css";

interface Props {
  held: CallLocals[];
  /** How many calls are folded. */
  times: number;
}

/** What the local variables of a frame held, as the client sent it; of folded calls, those of one at a time. */
export function Locals({ held, times }: Props) {
  const name = useId();
  const [chosen, choose] = useState(0);
  const at = Math.min(chosen, held.length - 1);
  const shown = held[at];
  if (shown === undefined) return null;
  return (
    <div className={classes.locals} role="group" aria-labelledby={name}>
      <div className={classes.calls}>
        <p id={name} className="muted">
          Local variables
        </p>
        {times > 1 && (
          <p className="muted" title="Call 1 is the one nearest to the error" role="status">
            Call {shown.call} of {times}
          </p>
        )}
        {held.length > 1 && (
          <>
            <Step name="Previous call" Icon={ChevronLeft} isEnd={at === 0} go={() => choose(at - 1)} />
            <Step name="Next call" Icon={ChevronRight} isEnd={at === held.length - 1} go={() => choose(at + 1)} />
          </>
        )}
      </div>
      <JsonTree value={shown.vars} open={1} />
    </div>
  );
}

interface StepProps {
  name: string;
  Icon: typeof ChevronLeft;
  isEnd: boolean;
  go: () => void;
}

/** At the end it is disabled, and keeps the focus of who got there by it. */
function Step({ name, Icon, isEnd, go }: StepProps) {
  return (
    <ActionIcon
      size="sm"
      aria-label={name}
      data-tip={name}
      data-disabled={isEnd}
      aria-disabled={isEnd}
      onClick={() => isEnd || go()}
    >
      <Icon size="1em" aria-hidden />
    </ActionIcon>
  );
}
