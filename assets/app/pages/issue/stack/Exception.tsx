import { Button } from "@mantine/core";
import { ChevronRight, CornerDownRight } from "lucide-react";
import { type ReactNode, useCallback, useState } from "react";
import type { ExceptionView, FrameView } from "../../../api/schema.d.ts";
import { LongText } from "../header/LongText.tsx";
import { Frame } from "./Frame.tsx";
import { type Form, type Row, openAtFirst, rows } from "./frames.ts";
import classes from "./Stack.module.css";

/** Rows that are rendered at first. */
const rowsMax = 60;

interface Props {
  exception: ExceptionView;
  /** The relation to the previous exception; `undefined` for a single one. */
  link: string | undefined;
  /** Whether the most informative frames are open. */
  opened: boolean;
  form: Form;
  /** Whether the thrown frame is last. */
  thrownLast: boolean;
}

/** An exception of a chain with its frames. */
export function Exception({ exception, link, opened, form, thrownLast }: Props) {
  const name = exception.type ?? "Error";
  return (
    <section className={classes.exception} aria-label={link ? `${link} ${name}` : name}>
      {link && (
        <h3 className={classes.cause}>
          <CornerDownRight aria-hidden className={classes.icon} />
          <span className={classes.by}>{link}</span>
          <LongText text={exception.message ? `${name}: ${exception.message}` : name} lines={3} />
        </h3>
      )}
      {exception.frames.length === 0 ? (
        <p className={classes.none}>
          {exception.stack
            ? "No frames could be read from this stack. Its text is under “Raw”."
            : "This error was sent without a stack."}
        </p>
      ) : (
        <Frames frames={exception.frames} opened={opened} form={form} thrownLast={thrownLast} />
      )}
    </section>
  );
}

type FramesProps = Pick<Props, "opened" | "form" | "thrownLast"> & { frames: FrameView[] };

function Frames({ frames, opened, form, thrownLast }: FramesProps) {
  const [open, setOpen] = useState(() => (opened ? openAtFirst(frames) : new Set<number>()));
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const [most, setMost] = useState(rowsMax);
  const toggle = useCallback((index: number) => setOpen((now) => flipped(now, index)), []);
  const all = rows(frames, form);
  const first = all.slice(0, most);
  const hidden = all.length - first.length;
  const more = hidden > 0 && (
    <li key="more" className={classes.more}>
      <Button variant="subtle" onClick={() => setMost(Number.POSITIVE_INFINITY)}>
        Show {hidden} more {hidden === 1 ? "row" : "rows"}
      </Button>
    </li>
  );
  const frame = (index: number, times = 1) => (
    <Frame
      key={index}
      frames={frames}
      index={index}
      times={times}
      form={form}
      opened={open.has(index)}
      toggle={toggle}
    />
  );
  const drawn = first.flatMap((row: Row): ReactNode[] => {
    if (row.kind === "frame") return [frame(row.index, row.times)];
    const at = row.indexes[0] as number;
    const isOpen = unfolded.has(at);
    const fold = (
      <Fold
        key={`fold ${at}`}
        words={row.words}
        isOpen={isOpen}
        toggle={() => setUnfolded((now) => flipped(now, at))}
      />
    );
    const inside = isOpen ? row.indexes.map((index) => frame(index)) : [];
    // The order is reversed below; the fold stays above its frames.
    return thrownLast ? [...inside, fold] : [fold, ...inside];
  });
  const ordered = thrownLast ? [more, ...drawn.toReversed()] : [...drawn, more];
  return <ol className={classes.frames}>{ordered}</ol>;
}

function flipped(set: ReadonlySet<number>, item: number): Set<number> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}

/** Frames of libraries, folded into one line. */
function Fold({ words, isOpen, toggle }: { words: string; isOpen: boolean; toggle: () => void }) {
  return (
    <li className={classes.fold}>
      <button type="button" className={classes.head} aria-expanded={isOpen} onClick={toggle}>
        <ChevronRight aria-hidden className={classes.chevron} />
        <span className={classes.words}>{words}</span>
      </button>
    </li>
  );
}
