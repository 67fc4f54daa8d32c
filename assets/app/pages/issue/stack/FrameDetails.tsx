import type { FrameView } from "../../../api/schema.d.ts";
import { ReleaseLink } from "../../../navigation/ReleaseLink.tsx";
import { oneLine } from "../../../ui/visible.ts";
import { type Form, placeOf, shown, unresolvedOf } from "./frames.ts";
import { useReading } from "./reading.ts";
import classes from "./Stack.module.css";

/** Below a frame: its other form, and the source map. */
export function FrameDetails({ frame, form, hasSource }: { frame: FrameView; form: Form; hasSource: boolean }) {
  const { project, release } = useReading();
  const { resolved } = frame;
  const other = shown(frame, form === "original" ? "minified" : "original");
  if (!resolved) {
    return hasSource || unresolvedOf(frame) ? null : (
      <p className={classes.details}>No source is available for this frame.</p>
    );
  }
  return (
    <div className={classes.details}>
      {!hasSource && form === "original" && <p>The source map does not contain the source of this file.</p>}
      <p>
        {form === "original" ? "Mapped from " : "Maps to "}
        <bdi className={classes.origin}>
          {oneLine(`${other.function === undefined ? "" : `${other.function} at `}${placeOf(other)}`).slice(0, 2_000)}
        </bdi>{" "}
        with {release === null ? "a source map" : "the source map of release "}
        {release !== null && (
          <ReleaseLink project={project} version={release}>
            <bdi>{oneLine(release)}</bdi>
          </ReleaseLink>
        )}
        {resolved.matched_by_debug_id && ", found by the script’s debug id"}
        {resolved.matched_without_query && ", found by leaving out the address’s ?query and #fragment"}
      </p>
    </div>
  );
}
