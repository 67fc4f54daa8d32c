import type { HeartbeatStatus } from "../../../api/schema.d.ts";
import { Snippet } from "../../../ui/Snippet.tsx";
import settings from "../../../ui/settings/Settings.module.css";
import { Time } from "../../../ui/Time.tsx";

/** The exact content of the heartbeat. */
export function HeartbeatContent({ of }: { of: HeartbeatStatus }) {
  return (
    <section className={settings.part} aria-labelledby="overview-sent">
      <h3 id="overview-sent">What is sent</h3>
      <p className={settings.lead}>
        <Words of={of} />
      </p>
      <Snippet text={JSON.stringify(of.payload, null, 2)} label={of.enabled ? "What is sent" : "What would be sent"} />
    </section>
  );
}

function Words({ of: { reason, endpoint, last_sent_at } }: { of: HeartbeatStatus }) {
  if (reason === "disabled")
    return (
      <>
        Nothing: <code>SERVICE_ANONYMOUS_TELEMETRY_DISABLED</code> is set. Otherwise this would be sent daily to{" "}
        <code>{endpoint}</code>:
      </>
    );
  if (reason === "no_endpoint")
    return (
      <>
        Nothing: this build has no address to send to, and <code>SERVICE_ANONYMOUS_TELEMETRY_ENDPOINT</code> is not set.
        With one, this would be sent daily:
      </>
    );
  return (
    <>
      This, daily, to <code>{endpoint}</code>.{" "}
      {last_sent_at === null ? (
        "Nothing has arrived there yet."
      ) : (
        <>
          It last arrived <Time at={last_sent_at} />.
        </>
      )}{" "}
      <code>SERVICE_ANONYMOUS_TELEMETRY_DISABLED=true</code> ends it.
    </>
  );
}
