import { ChevronRight } from "lucide-react";
import { Fragment, memo, useId } from "react";
import type { FrameView } from "../../../api/schema.d.ts";
import { Line } from "../../../ui/Text.tsx";
import { oneLine } from "../../../ui/visible.ts";
import { type Form, functionOf, heldIn, lineOf, placeOf, shown, unresolvedOf } from "./frames.ts";
import { FrameDetails } from "./FrameDetails.tsx";
import { libraryOf } from "./library.ts";
import { Locals } from "./Locals.tsx";
import { Source } from "./Source.tsx";
import classes from "./Stack.module.css";
import { Unresolved } from "./Unresolved.tsx";

export interface FrameProps {
  /** All frames of the exception. */
  frames: FrameView[];
  index: number;
  /** How many times in a row the same call occurred, from `index` on. */
  times: number;
  form: Form;
  opened: boolean;
  toggle: (index: number) => void;
}

/** One call: its function and place, and, when open, the source around it. */
export const Frame = memo(function Frame({ frames, index, times, form, opened, toggle }: FrameProps) {
  const body = useId();
  const frame = frames[index] as FrameView;
  const view = shown(frame, form);
  const place = placeOf(view);
  const why = form === "original" ? unresolvedOf(frame) : undefined;
  const line = opened || view.source === undefined ? "" : lineOf(view.source);
  const library = frame.in_app ? undefined : (libraryOf(view.file) ?? "library");
  return (
    <li className={classes.frame} data-own={frame.in_app || undefined} data-opened={opened || undefined}>
      <button
        type="button"
        className={classes.head}
        aria-expanded={opened}
        aria-controls={opened ? body : undefined}
        onClick={() => toggle(index)}
      >
        <ChevronRight aria-hidden className={classes.chevron} />
        <span className={classes.call}>
          <span className={classes.function}>
            <Line text={functionOf(view)} mono />
          </span>
          <span className={classes.place}>
            <Place text={oneLine(place)} />
          </span>
          {line !== "" && (
            <span className={classes.line}>
              <Line text={line} mono />
            </span>
          )}
        </span>
        {times > 1 && <span className={classes.badge}>× {times}</span>}
        {why && <span className={classes.badge}>not resolved</span>}
        {library && <span className={classes.badge}>{library}</span>}
      </button>
      {opened && (
        <div id={body} className={classes.body}>
          {view.source && (
            <Source source={view.source} file={view.file} label={`Source of ${oneLine(place)}`} threw={index === 0} />
          )}
          <Locals held={heldIn(frames, index, times)} times={times} />
          {why && <Unresolved frame={frame} why={why} />}
          <FrameDetails frame={frame} form={form} hasSource={view.source !== undefined} />
        </div>
      )}
    </li>
  );
});

/** When a path is cut, its end stays: file and line are most important. Lines break after a folder's name. */
function Place({ text }: { text: string }) {
  const cut = text.length > 300 ? `…${text.slice(-300)}` : text;
  return (
    <bdi className="mono" dir="ltr" title={text.slice(0, 2_000)}>
      {cut.split(/(?<=[/\\])/).map((part, at) => (
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
