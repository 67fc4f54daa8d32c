import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { ChevronRight } from "lucide-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Event } from "../../../api/schema.d.ts";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { counted, exact } from "../../../ui/format.ts";
import { visible } from "../../../ui/visible.ts";
import { type JsonLine, type JsonPart, jsonLines, shownLines } from "./json-lines.ts";
import classes from "./RawJson.module.css";
import { Section } from "./Section.tsx";

/** The height of a line in pixels, for the virtual list. Touch screens need more. */
const lineHeights = { wide: 20, narrow: 24 };
/** Characters of a line that are drawn; copying gives all. */
const lineMax = 2_000;

/** The event as the API returns it, shown on demand. */
export function RawJson({ event }: { event: Event }) {
  const [isOpen, setOpen] = useState(false);
  const tools = (
    <>
      <Button variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Hide" : "Show"}
      </Button>
      <CopyButton text={() => JSON.stringify(event, undefined, 2)} label="Copy the event as JSON" />
    </>
  );
  return (
    <Section id="raw" title="JSON" tools={tools}>
      {isOpen && <Lines event={event} />}
    </Section>
  );
}

/** Only the lines in sight are drawn: an event may have a million characters. */
function Lines({ event }: { event: Event }) {
  const lines = useMemo(() => jsonLines(event), [event]);
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const shown = useMemo(() => shownLines(lines, folded), [lines, folded]);
  const box = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  const height = lineHeights[isNarrow ? "narrow" : "wide"];
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    getItemKey: (index) => shown[index] ?? index,
    overscan: 20,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines of another height are measured anew
  useEffect(() => rows.measure(), [rows, height]);
  const fold = (at: number) => {
    const next = new Set(folded);
    if (!next.delete(at)) next.add(at);
    setFolded(next);
  };
  return (
    <div
      ref={box}
      className={classes.box}
      tabIndex={0}
      role="group"
      aria-label={`JSON of the event, ${counted(lines.length, "line")}`}
    >
      <div className={classes.all} style={{ blockSize: rows.getTotalSize() }}>
        <div className={classes.shown} style={{ transform: `translateY(${rows.getVirtualItems()[0]?.start ?? 0}px)` }}>
          {rows.getVirtualItems().map(({ index, key }) => {
            const at = shown[index] ?? 0;
            const line = lines[at];
            return (
              line && <Row key={key} line={line} height={height} isFolded={folded.has(at)} fold={() => fold(at)} />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** A line; one that opens something folds it when it is pressed. */
function Row({
  line,
  height,
  isFolded,
  fold,
}: {
  line: JsonLine;
  height: number;
  isFolded: boolean;
  fold: () => void;
}) {
  const { depth, parts, opens } = line;
  const style = { blockSize: height, lineHeight: `${height}px`, paddingInlineStart: `${depth * 2 + 2}ch` };
  const text = parts.map(({ kind, text }, at) => <Part key={`${at} ${kind}`} kind={kind} text={text} />);
  if (!opens) {
    return (
      <code className={classes.row} style={style}>
        {text}
      </code>
    );
  }
  return (
    <button type="button" className={classes.row} style={style} aria-expanded={!isFolded} onClick={fold}>
      <ChevronRight aria-hidden className={classes.chevron} />
      {text}
      {isFolded && <span className={classes.size}> {counted(opens.size, "value")} </span>}
      {isFolded && "…"}
    </button>
  );
}

function Part({ kind, text }: JsonPart) {
  const over = text.length - lineMax;
  return (
    <span data-kind={kind}>
      {visible(over > 0 ? text.slice(0, lineMax) : text)}
      {over > 0 && <span className="muted"> … {exact(over)} more characters</span>}
    </span>
  );
}
