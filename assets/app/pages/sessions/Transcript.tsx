import { Button, SegmentedControl } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { AgentSession } from "../../api/schema.d.ts";
import { counted, exact } from "../../ui/format.ts";
import { Time } from "../../ui/Time.tsx";
import { visible } from "../../ui/visible.ts";
import classes from "./Transcript.module.css";
import { type Block, emptyWords, entryHash, type Filter, filters, fits } from "./transcript.ts";
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
  /** Whether a phone shows it. */
  isShown: boolean;
}

/** The transcript. It follows the newest line until somebody scrolls up. */
export function Transcript({ session, followed, target, isShown }: Props) {
  const { blocks } = followed;
  const [filter, setFilter] = useState<Filter>("all");
  const chosen = useMemo(() => blocks.filter((block) => fits(filter, block)), [blocks, filter]);
  const { box, shown, more, showAll, isFollowing, look, follow } = useFollowing(chosen, isShown);
  // An entry is in the last block that does not begin after it.
  const place = target ? blocks.findLastIndex(({ id }) => id <= target.id) : -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it is asked for
  useLayoutEffect(() => {
    const found = blocks[place];
    if (!found) return;
    // The filter stays unless it hides the entry.
    if (!fits(filter, found)) setFilter("all");
    showAll(blocks.length - place);
    // Once it is drawn.
    requestAnimationFrame(() => {
      const entry = box.current?.querySelector<HTMLElement>(`[data-block="${found.id}"]`);
      entry?.scrollIntoView({ block: "center" });
      entry?.focus({ preventScroll: true });
    });
  }, [target]);
  const earlier = Math.max(0, chosen.length - shown);
  const end = useRef<HTMLSpanElement>(null);
  return (
    <section aria-label="What was said and done" className={classes.talk}>
      <div className={classes.tools}>
        <SegmentedControl
          size="xs"
          aria-label="Show in the transcript"
          data={filterNames}
          value={filter}
          onChange={(value) => setFilter(filters.find((name) => name === value) ?? "all")}
        />
        {!isFollowing && (
          <Button size="compact-xs" variant="default" onClick={follow}>
            {hasEnded(session) ? "To the end" : "Follow"}
          </Button>
        )}
      </div>
      {chosen.length > 0 && (
        <button type="button" className={`unseen ${classes.skip}`} onClick={() => end.current?.focus()}>
          Skip the transcript
        </button>
      )}
      {/* Scrolls, so the keyboard must get into it. */}
      <div
        ref={box}
        className={classes.transcript}
        role="log"
        aria-live="off"
        aria-label="Transcript"
        aria-busy={followed.state === "connecting" && session.messages > 0}
        tabIndex={0}
        onScroll={look}
      >
        {earlier > 0 && (
          <div className={classes.earlier}>
            <Button size="compact-xs" variant="default" onClick={more}>
              Show earlier ({exact(earlier)})
            </Button>
          </div>
        )}
        {chosen.length === 0 && followed.state !== "connecting" && (
          <p className={classes.waits}>{emptyWords(filter, hasEnded(session))}</p>
        )}
        {chosen.slice(earlier).map((block) => (
          <Entry key={block.id} block={block} />
        ))}
        {session.left_out > 0 && (
          <p className={classes.waits}>{counted(session.left_out, "more entry", "more entries")} did not fit.</p>
        )}
      </div>
      <span ref={end} tabIndex={-1} />
    </section>
  );
}

const filterNames: { value: Filter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "words", label: "Words" },
  { value: "commands", label: "Commands" },
  { value: "errors", label: "Errors" },
];

/** How much is drawn, and whether the box stays at its end as more comes. */
function useFollowing(blocks: readonly Block[], isShown: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(step);
  const [isFollowing, setFollowing] = useState(true);
  const toEnd = () => {
    const element = box.current;
    if (element) element.scrollTop = element.scrollHeight;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something was added, or it can be seen again
  useLayoutEffect(() => {
    if (isFollowing) toEnd();
  }, [blocks, isShown]);
  return {
    box,
    shown,
    isFollowing,
    more: () => setShown(shown + step),
    /** Draws at least so many, and stays where it is. */
    showAll: (count: number) => {
      setFollowing(false);
      setShown((before) => Math.max(before, count));
    },
    follow: () => {
      // The pressed button disappears.
      box.current?.focus({ preventScroll: true });
      setFollowing(true);
      toEnd();
    },
    look: () => {
      const element = box.current;
      // What cannot be seen has no height, and is not scrolled by anybody.
      if (!element || element.clientHeight === 0) return;
      setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight < nearness);
    },
  };
}

const Entry = memo(function Entry({ block }: { block: Block }) {
  const { id, role, text, isError, at } = block;
  const lines = role === "tool" && !isError ? text.trimEnd().split("\n") : [];
  return (
    <div className={classes.block} data-role={role} data-block={id} tabIndex={-1}>
      <div className={classes.who}>
        <span>{roles[role]}</span>
        <Link to="." hash={entryHash(id)} hashScrollIntoView={false} resetScroll={false} className={classes.when ?? ""}>
          <Time at={at} />
        </Link>
      </div>
      {lines.length > 1 ? (
        <Folded lines={lines} />
      ) : (
        <pre className={`${classes.text} ${isError ? classes.error : ""}`}>
          {isError && <span className="unseen">Error output: </span>}
          {visible(text)}
        </pre>
      )}
    </div>
  );
});

/** What a tool did or answered: its first line, and the others once it is opened. */
function Folded({ lines: [first = "", ...others] }: { lines: string[] }) {
  return (
    <details>
      <summary className={classes.fold}>
        <span className="mono">{visible(first)}</span>{" "}
        <span className="muted">{counted(others.length, "more line")}</span>
      </summary>
      <pre className={classes.text}>{visible(others.join("\n"))}</pre>
    </details>
  );
}
