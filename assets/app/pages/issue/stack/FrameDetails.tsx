import { Link } from "@tanstack/react-router";
import type { FrameView } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { Line } from "../../../ui/Text.tsx";
import { type Form, placeOf, shown, unresolvedOf } from "./frames.ts";
import { useReading } from "./reading.ts";
import classes from "./Stack.module.css";

/** Under a frame: where its other form is, and which map tells so. */
export function FrameDetails({ frame, form, hasSource }: { frame: FrameView; form: Form; hasSource: boolean }) {
  const { project, release } = useReading();
  const { resolved } = frame;
  const other = shown(frame, form === "original" ? "minified" : "original");
  if (!resolved) {
    return hasSource || unresolvedOf(frame) ? null : (
      <p className={classes.details}>No source is known for this frame.</p>
    );
  }
  return (
    <div className={classes.details}>
      {!hasSource && form === "original" && <p>The source map carries no source of this file.</p>}
      <p className={classes.origin}>
        <span>{form === "original" ? "Minified" : "Original"}</span>
        <Line text={`${other.function === undefined ? "" : `${other.function} at `}${placeOf(other)}`} mono />
      </p>
      <p className={classes.origin}>
        <span>Source map</span>
        <span className={classes.cut}>
          {resolved.source_map_id}
          {release !== null && (
            <>
              {" of "}
              <Link to={paths.release(project, release)}>
                <Line text={release} />
              </Link>
            </>
          )}
          {resolved.matched_without_query && ", found only without the address’s ?… and #…"}
        </span>
      </p>
    </div>
  );
}
