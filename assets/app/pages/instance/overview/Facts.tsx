import { useQuery } from "@tanstack/react-query";
import { methodsQuery } from "../../../api/people.ts";
import type { MailStatus, Overview, TelemetryMode, Update } from "../../../api/schema.d.ts";
import { counted } from "../../../ui/format.ts";
import settings from "../../../ui/settings/Settings.module.css";
import { Time } from "../../../ui/Time.tsx";
import { methodNames } from "./methods.ts";
import classes from "./Overview.module.css";

const modes: Record<TelemetryMode, string> = {
  local_dev: "local development",
  self_managed: "self-managed",
  hosted_product: "hosted",
};

/** Facts about the server and its configuration, one per line. */
export function Facts({ of }: { of: Overview }) {
  return (
    <dl className={`${settings.facts} ${classes.facts}`}>
      <dt>Version</dt>
      <dd className="number">{of.version}</dd>
      <dt>Newer releases</dt>
      <dd>
        <span>
          <Checked update={of.update} />
        </span>
      </dd>
      <dt>Started</dt>
      <dd>
        <Time at={of.started_at} />
      </dd>
      <dt>Deployment</dt>
      <dd>{modes[of.telemetry_mode] ?? of.telemetry_mode}</dd>
      <dt>Sign-in methods</dt>
      <dd>
        <Methods />
      </dd>
      <dt>Mail</dt>
      <dd>
        <span>
          <Mail status={of.mail} />
        </span>
      </dd>
      <dt>Model gateway</dt>
      <dd>{of.gateway.enabled ? "on" : "off"}</dd>
    </dl>
  );
}

/** The result of the check for newer releases. */
function Checked({ update: { enabled, checked_at, error, available } }: { update: Update }) {
  if (!enabled)
    return (
      <>
        not checked: <code>SERVICE_UPDATE_FEED_URL</code> is not set
      </>
    );
  const last = checked_at === null ? "not checked yet" : <Time at={checked_at} />;
  if (error !== null)
    return (
      <>
        the last check failed: {error}; last answer: {checked_at === null ? "none" : last}
      </>
    );
  if (checked_at === null) return last;
  return (
    <>
      {available === null ? "none" : available.version}, checked {last}
    </>
  );
}

/** Whether mail is configured, and being sent. */
function Mail({ status: { configured, waiting, waiting_since, error } }: { status: MailStatus }) {
  if (!configured) return "not set up: copy invitation and password links and pass them on yourself";
  if (waiting === 0 || waiting_since === null) return "set up";
  return (
    <>
      {counted(waiting, "mail")} not sent yet, the oldest of <Time at={waiting_since} />: {error}
    </>
  );
}

function Methods() {
  const methods = useQuery(methodsQuery);
  if (methods.data) return <span>{methodNames(methods.data).join(", ") || "none"}</span>;
  return <span className="muted">{methods.isPending ? "…" : "unknown: they could not be loaded"}</span>;
}
