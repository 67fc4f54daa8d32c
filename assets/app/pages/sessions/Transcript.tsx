import { Button } from "@mantine/core";
import { memo, useLayoutEffect, useRef, useState } from "react";
import type { AgentSession } from "../../api/schema.d.ts";
import { counted, exact } from "../../ui/format.ts";
import { Time } from "../../ui/Time.tsx";
import { visible } from "../../ui/visible.ts";
import classes from "./Sessions.module.css";
import type { Block } from "./transcript.ts";
import type { Followed } from "./use-session.ts";
import { hasEnded, roles } from "./words.ts";

/** Blocks that are drawn at first, and more at a time. */
const step = 200;
/** In pixels: as near to the end as counts as being there. */
const nearness = 40;

interface Props {
  session: AgentSession;
  followed: Followed;
  /** The entry to scroll to; a new object scrolls again. */
  target: { id: number } | undefined;
}

/** The transcript. It follows the newest line until somebody scrolls up. */
export function Transcript({ session, followed, target }: Props) {
  const { blocks, state } = followed;
  const [shown, setShown] = useState(step);
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something was added
  useLayoutEffect(() => {
    const element = box.current;
    if (element && follows.current) element.scrollTop = element.scrollHeight;
  }, [blocks]);
  // An entry is in the last block that does not begin after it.
  const place = target ? blocks.findLastIndex(({ id }) => id <= target.id) : -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it is asked for
  useLayoutEffect(() => {
    if (place < 0) return;
    follows.current = false;
    setShown((before) => Math.max(before, blocks.length - place));
    // Once it is drawn.
    requestAnimationFrame(() => {
      const found = box.current?.querySelector<HTMLElement>(`[data-block="${blocks[place]?.id}"]`);
      found?.scrollIntoView({ block: "center" });
      found?.focus({ preventScroll: true });
    });
  }, [target]);
  const look = () => {
    const element = box.current;
    if (element) follows.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearness;
  };
  const earlier = Math.max(0, blocks.length - shown);
  return (
    // Scrolls, so the keyboard must get into it.
    <div
      ref={box}
      className={classes.transcript}
      role="log"
      aria-live="off"
      aria-label="Transcript"
      aria-busy={state === "connecting" && session.messages > 0}
      tabIndex={0}
      onScroll={look}
    >
      {earlier > 0 && (
        <div className={classes.earlier}>
          <Button size="compact-xs" variant="default" onClick={() => setShown(shown + step)}>
            Show earlier ({exact(earlier)})
          </Button>
        </div>
      )}
      {blocks.length === 0 && state !== "connecting" && (
        <p className={classes.waits}>
          {hasEnded(session) ? "Nothing was written." : "What the agent writes appears here."}
        </p>
      )}
      {blocks.slice(earlier).map((block) => (
        <Entry key={block.id} block={block} />
      ))}
      {session.left_out > 0 && (
        <p className={classes.waits}>{counted(session.left_out, "more entry", "more entries")} did not fit.</p>
      )}
    </div>
  );
}

const Entry = memo(function Entry({ block }: { block: Block }) {
  const { role, text, isError, at } = block;
  return (
    <div className={classes.block} data-role={role} data-block={block.id} tabIndex={-1}>
      <div className={classes.who}>
        <span>{roles[role]}</span>
        <Time at={at} />
      </div>
      <pre className={`${classes.text} ${isError ? classes.error : ""}`}>
        {isError && <span className="unseen">Error output: </span>}
        {visible(text)}
      </pre>
    </div>
  );
});
