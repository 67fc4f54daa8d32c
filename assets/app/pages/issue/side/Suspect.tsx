import { Link } from "@tanstack/react-router";
import type { SuspectRelease } from "../../../api/schema.d.ts";
import { ReleaseLink } from "../../../navigation/ReleaseLink.tsx";
import { useCarried } from "../../../navigation/use-carried.ts";
import { paths } from "../../../paths.ts";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import type { Place } from "../queries.ts";
import { Commits } from "./Commits.tsx";
import classes from "./Side.module.css";
import { between, riseWords } from "./suspect.ts";

/** The release that the issue is blamed on, and why. */
export function Suspect({ place, suspect }: { place: Place; suspect: SuspectRelease }) {
  const { project } = place;
  const { version, rise, rose_at, out_at, environment } = suspect;
  const along = useCarried("releases");
  return (
    <div className={classes.suspect}>
      <dl className={classes.releases}>
        <div>
          <dt>Suspect</dt>
          <dd>
            <ReleaseLink project={project} version={version}>
              <Line text={version} />
            </ReleaseLink>
          </dd>
        </div>
      </dl>
      <p className={classes.why}>
        {environment === null ? (
          "First seen"
        ) : (
          <>
            Deployed to <bdi>{environment}</bdi>
          </>
        )}{" "}
        <Time at={out_at} />, {between(out_at, rose_at)} {riseWords[rise]}. It was the most recent release at the time.{" "}
        <Link to={paths.compare(project, version)} search={along}>
          Compare
        </Link>
      </p>
      <Commits place={place} />
    </div>
  );
}
