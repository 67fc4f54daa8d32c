import { useQuery } from "@tanstack/react-query";
import { Unlink } from "lucide-react";
import { releaseQuery } from "../../../api/release-queries.ts";
import type { FrameView, Unresolved as Why } from "../../../api/schema.d.ts";
import { useOrigin } from "../../../first-steps/use-origin.ts";
import { ReleaseLink } from "../../../navigation/ReleaseLink.tsx";
import { Line, Sentence } from "../../../ui/Text.tsx";
import { Snippet } from "../../../ui/Snippet.tsx";
import { CiKey } from "../../releases/CiKey.tsx";
import { deleteWords, isForNext } from "../../releases/mend.ts";
import { useReading } from "./reading.ts";
import classes from "./Stack.module.css";
import { uploadCommand } from "../../releases/upload.ts";

/** The prefix of a release that an upload creates. */
const defaultPrefix = "~/";

/** What comes before the server's words, which name every other rule that failed. */
const failed = (rule: Why["rule"]): string =>
  rule === "position" ? "Not resolved: not in the source map." : "Not resolved:";

/** Whether the server's words, with code in back quotes, name what was looked for. */
const isNamed = ({ detail, looked_for: wanted }: Why): boolean => wanted !== null && detail.includes(`\`${wanted}`);

/** Why a frame is not resolved, the closest source maps, and the command that fixes it. */
export function Unresolved({ frame, why }: { frame: FrameView; why: Why }) {
  const { project, release } = useReading();
  return (
    <div className={classes.why}>
      <p className={classes.reason}>
        <Unlink aria-hidden className={classes.icon} />
        <span>
          <strong>{failed(why.rule)}</strong> <Sentence text={why.detail} />
        </span>
      </p>
      {why.looked_for !== null && !isNamed(why) && (
        <p className="muted">
          Looked for: <Line text={why.looked_for} mono />
        </p>
      )}
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
                  <ReleaseLink project={project} version={near.release}>
                    <Line text={near.release} />
                  </ReleaseLink>
                  : <Sentence text={near.why} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {release !== null && <Fix release={release} frame={frame} rule={why.rule} command={why.command} />}
    </div>
  );
}

const uploads = "Run this where your build is, then reload this page. Earlier events are resolved, too.";
const checks = "Run this where your build is: it says which scripts do not resolve, why, and how to fix it.";

function Command({ project, command, origin }: { project: number; command: string; origin: string }) {
  const deletes = deleteWords(command);
  return (
    <>
      {deletes !== undefined && (
        <p>
          <Sentence text={deletes} />
        </p>
      )}
      <p className="muted">{command.startsWith("mayday releases check ") ? checks : uploads}</p>
      <Snippet text={command} label="How to fix it" />
      <CiKey project={project} origin={origin} />
    </>
  );
}

interface FixProps {
  release: string;
  frame: FrameView;
  rule: Why["rule"];
  command: string | null;
}

function Fix({ release, frame, rule, command }: FixProps) {
  const { project } = useReading();
  const origin = useOrigin();
  const missing = rule === "release";
  // A release that was not created has no prefix.
  const record = useQuery({ ...releaseQuery(project, release), enabled: rule === "url" });
  const prefix = missing ? defaultPrefix : record.data && (record.data.url_prefix ?? defaultPrefix);
  const wanted = rule === "release" || rule === "url";
  const byHand =
    wanted && prefix !== undefined && frame.url !== null
      ? uploadCommand({ origin, release, url: frame.url, prefix })
      : undefined;
  return (
    <>
      {command !== null && <Command project={project} command={command} origin={origin} />}
      {byHand && (
        <details>
          <summary className="muted">Without the command line</summary>
          <Snippet text={byHand} label="Upload the source map" />
        </details>
      )}
      {isForNext(rule, command) && (
        <p className="muted">
          The prefix of a release cannot be changed. Give the next release one that covers this address, such as ~/.
        </p>
      )}
      {!missing && (
        <p>
          <ReleaseLink project={project} version={release}>
            Source maps of <Line text={release} />
          </ReleaseLink>
        </p>
      )}
    </>
  );
}
