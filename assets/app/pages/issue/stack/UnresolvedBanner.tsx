import { Unlink } from "lucide-react";
import type { ExceptionView, Unresolved } from "../../../api/schema.d.ts";
import { ReleaseLink } from "../../../navigation/ReleaseLink.tsx";
import { Line } from "../../../ui/Text.tsx";
import { resolution, unresolvedOf } from "./frames.ts";
import { useReading } from "./reading.ts";
import classes from "./Stack.module.css";

const rules: Record<Unresolved["rule"], string> = {
  release: "there are no source maps, because only events name its release",
  prefix: "the scripts are outside the release’s prefix",
  url: "the release has no source maps for these scripts",
  position: "the source maps do not cover these positions",
};

/** A banner if most of the stack is not resolved, with the reason. */
export function UnresolvedBanner({ exceptions }: { exceptions: ExceptionView[] }) {
  const { project, release } = useReading();
  const { mappable, open } = resolution(exceptions);
  if (open.length * 2 <= mappable) return null;
  const rule = mostFrequent(open.flatMap((frame) => unresolvedOf(frame)?.rule ?? []));
  return (
    <div className={classes.banner} role="note">
      <Unlink aria-hidden className={classes.icon} />
      <p>
        <strong>
          {open.length === mappable ? "The stack is" : `${open.length} of ${mappable} frames are`} not resolved to
          source
        </strong>
        : {release === null ? "the event has no release" : rules[rule]}. Open a frame to see how to fix it
        {release !== null && rule !== "release" && (
          <>
            , or go to the{" "}
            <ReleaseLink project={project} version={release}>
              source maps of <Line text={release} />
            </ReleaseLink>
          </>
        )}
        .
      </p>
    </div>
  );
}

function mostFrequent<T>(items: T[]): T {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] as T;
}
