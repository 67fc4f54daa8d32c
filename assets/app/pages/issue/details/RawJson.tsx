import { Button } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import type { Event } from "../../../api/schema.d.ts";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { counted, exact } from "../../../ui/format.ts";
import { visible } from "../../../ui/visible.ts";
import classes from "./RawJson.module.css";
import { Section } from "./Section.tsx";

/** Of a line, in pixels: the virtual list has to know it. */
const lineHeight = 20;
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
  const lines = useMemo(() => JSON.stringify(event, undefined, 2).split("\n"), [event]);
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    overscan: 20,
  });
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
          {rows.getVirtualItems().map(({ index, key }) => (
            <Row key={key} text={lines[index] ?? ""} />
          ))}
        </div>
      </div>
    </div>
  );
}

function Row({ text }: { text: string }) {
  const over = text.length - lineMax;
  return (
    <code className={classes.row} style={{ blockSize: lineHeight, lineHeight: `${lineHeight}px` }}>
      {visible(over > 0 ? text.slice(0, lineMax) : text)}
      {over > 0 && <span className="muted"> … {exact(over)} more characters</span>}
    </code>
  );
}
