import type { ReplayDetails } from "../../api/schema.d.ts";
import { Bytes } from "../../ui/Bytes.tsx";
import { counted } from "../../ui/format.ts";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { deviceOf } from "../account/sessions/device.ts";
import { begunAt } from "./data/clock.ts";
import { timecode } from "./player/timecode.ts";
import classes from "./Facts.module.css";

/** The facts of a replay on one line. */
export function Facts({ replay }: { replay: ReplayDetails }) {
  const { duration_ms, user_agent, release, environment, bytes, scrubbed, is_live, errors } = replay;
  return (
    <ul className={classes.facts} aria-label="About this replay">
      {is_live && (
        <li>
          <span className={classes.live} role="status">
            Live
          </span>
        </li>
      )}
      <li>
        <Time at={new Date(begunAt(replay)).toISOString()} />
      </li>
      <li className="number">{timecode(duration_ms)}</li>
      <li>{deviceOf(user_agent ?? null).words}</li>
      {release && (
        <li>
          <Line text={release} mono />
        </li>
      )}
      {environment && (
        <li>
          <Line text={environment} />
        </li>
      )}
      <li>{errors.length === 0 ? "No errors" : counted(errors.length, "error")}</li>
      <li>
        <Bytes of={bytes} />
      </li>
      {scrubbed > 0 && (
        <li title="Replaced by [Filtered] before anything was stored">
          {counted(scrubbed, "value")} removed as {scrubbed === 1 ? "a secret" : "secrets"}
        </li>
      )}
    </ul>
  );
}
