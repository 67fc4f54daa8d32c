import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, Info } from "lucide-react";
import { backupsQuery, healthQuery } from "../../../api/instance-queries.ts";
import type { InstanceUsage, Overview } from "../../../api/schema.d.ts";
import { instanceUsageQuery } from "../../../api/usage-queries.ts";
import { paths } from "../../../paths.ts";
import { Alarm } from "../../../ui/Alarm.tsx";
import { Badge } from "../../../ui/Badge.tsx";
import { Bytes } from "../../../ui/Bytes.tsx";
import settings from "../../../ui/settings/Settings.module.css";
import { Failed } from "../../../ui/States.tsx";
import classes from "./Overview.module.css";
import { type Trouble, troublesOf } from "./troubles.ts";

/** Whether the instance is healthy or what is wrong with it, and how full its disk is. */
export function Health({ of: { jobs, mail } }: { of: Overview }) {
  const queries = [useQuery(healthQuery), useQuery(instanceUsageQuery), useQuery(backupsQuery)] as const;
  const [{ data: health }, { data: usage }, { data: backups }] = queries;
  const failed = queries.find(({ isError, data }) => isError && data === undefined);
  const isWhole = queries.every(({ data }) => data !== undefined);
  // What is wrong is said even if the rest cannot be found out, perhaps for that very reason.
  const troubles = troublesOf({ health, usage, backups, jobs, mail });
  const isUnscheduled = backups?.schedule === null;
  return (
    <section aria-label="Health" className={classes.health}>
      {failed && (
        <Failed
          error={failed.error}
          retry={() => void failed.refetch()}
          busy={failed.isFetching}
          what="The health of this instance"
        />
      )}
      {(isWhole || troubles.length > 0) && <Found troubles={troubles} hasBackups={!isUnscheduled} />}
      {isUnscheduled && (isWhole || failed) && <NoBackups />}
      {!isWhole && !failed && <p className="muted">Checking…</p>}
      {usage && <Disk usage={usage} />}
    </section>
  );
}

function Found({ troubles, hasBackups }: { troubles: Trouble[]; hasBackups: boolean }) {
  if (troubles.length === 0) {
    return (
      <p className={classes.line}>
        <Badge Icon={CircleCheck} tone="good">
          Healthy
        </Badge>
        <span className="muted">
          The databases can be written to, and no job{hasBackups && " or backup"} failed the last time it ran.
        </span>
      </p>
    );
  }
  return troubles.map(({ what, why, page }) => (
    <div key={what} className={classes.trouble}>
      <Alarm error={why} what={what} />
      {page && <Link to={paths.instance(page)}>{page === "usage" ? "Usage" : "Backups"}</Link>}
    </div>
  ));
}

/** Not a failure: backups may be made by other means, of which the server knows nothing. */
const NoBackups = () => (
  <p className={settings.note} role="note">
    <Info aria-hidden />
    <span>
      No backups are scheduled. Unless you make them in another way, the data is lost if the disk fails.{" "}
      <Link to={paths.instance("backups")}>Schedule backups</Link>
    </span>
  </p>
);

function Disk({ usage: { free_bytes, bytes, floor_bytes } }: { usage: InstanceUsage }) {
  return (
    <p className={classes.line}>
      <span>
        <Bytes of={free_bytes} /> free on the disk; Mayday takes <Bytes of={bytes} />.
      </span>
      <span className="muted">
        Below <Bytes of={floor_bytes} /> free, nothing new is accepted.
      </span>
      <Link to={paths.instance("usage")}>What uses the space</Link>
    </p>
  );
}
