import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Unlink } from "lucide-react";
import { releaseQuery } from "../../../api/release-queries.ts";
import type { FrameView, Unresolved as Why } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { Line, Prose } from "../../../ui/Text.tsx";
import { Snippet } from "../../../ui/Snippet.tsx";
import { useReading } from "./reading.ts";
import classes from "./Stack.module.css";
import { uploadCommand } from "../../releases/upload.ts";

/** The prefix of a release that an upload creates. */
const defaultPrefix = "~/";

/** Why a frame is not resolved, which source maps come close, and the command that fixes it. */
export function Unresolved({ frame, why }: { frame: FrameView; why: Why }) {
  const { project, release } = useReading();
  return (
    <div className={classes.why}>
      <p className={classes.reason}>
        <Unlink aria-hidden className={classes.icon} />
        <span>
          <strong>Not resolved.</strong> <Prose text={why.detail} />
        </span>
      </p>
      {why.nearest.length > 0 && (
        <div>
          <p className="muted">Closest stored source maps:</p>
          <ul className={classes.nearest}>
            {why.nearest.map((near) => (
              <li key={`${near.release} ${near.url}`}>
                <Line text={near.url} mono />
                <span className="muted">
                  {" "}
                  in{" "}
                  <Link to={paths.release(project, near.release)}>
                    <Line text={near.release} />
                  </Link>
                  : <Prose text={near.why} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {release !== null && <Fix release={release} frame={frame} rule={why.rule} />}
    </div>
  );
}

function Fix({ release, frame, rule }: { release: string; frame: FrameView; rule: Why["rule"] }) {
  const { project } = useReading();
  const missing = rule === "release";
  // A release that does not exist has no record.
  const record = useQuery({ ...releaseQuery(project, release), enabled: rule === "url" });
  const prefix = missing ? defaultPrefix : record.data?.url_prefix;
  const wanted = rule === "release" || rule === "url";
  const command =
    wanted && prefix !== undefined && frame.url !== null
      ? uploadCommand({ origin: location.origin, release, url: frame.url, prefix })
      : undefined;
  return (
    <>
      {command && (
        <>
          <p className="muted">
            Upload the source map from your build, then reload this page. Earlier events are resolved, too.
          </p>
          <Snippet text={command} label="Upload the source map" />
        </>
      )}
      {rule === "prefix" && (
        <p className="muted">
          The prefix of a release cannot be changed. Give the next release one that covers this address, such as ~/.
        </p>
      )}
      {!missing && (
        <p>
          <Link to={paths.release(project, release)}>
            Source maps of <Line text={release} />
          </Link>
        </p>
      )}
    </>
  );
}
