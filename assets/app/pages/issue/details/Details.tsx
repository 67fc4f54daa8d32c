import { Info } from "lucide-react";
import { type ComponentType, memo } from "react";
import type { Event } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { Prose } from "../../../ui/Text.tsx";
import { AxisProvider } from "../axis/AxisProvider.tsx";
import { AxisSection } from "../axis/AxisSection.tsx";
import { TraceLogs } from "../logs/TraceLogs.tsx";
import { UserReplays } from "../../replays/UserReplays.tsx";
import { EventReplay } from "../replay/EventReplay.tsx";
import { Breadcrumbs } from "./Breadcrumbs.tsx";
import { Contexts } from "./Contexts.tsx";
import { changedWords } from "./changed.ts";
import classes from "./Details.module.css";
import { Fields } from "./Fields.tsx";
import { RawJson } from "./RawJson.tsx";
import { Tags } from "./Tags.tsx";

interface Part {
  event: Event;
}

/** Short facts, in two columns if there is room. Each part renders nothing if it has no data. */
const facts: Record<string, ComponentType<Part>> = {
  request: ({ event: { url, user_agent, platform, sdk, environment, release } }) => (
    <Fields
      id="request"
      title="Request"
      fields={{
        URL: url,
        "user agent": user_agent,
        release,
        environment,
        platform,
        SDK: [sdk?.name, sdk?.version].filter(Boolean).join(" ") || null,
      }}
    />
  ),
  user: ({ event: { project_id, user } }) => (
    <Fields
      id="user"
      title="User"
      tools={<UserReplays project={project_id} user={user} />}
      fields={{
        ID: user?.id,
        name: user?.name,
        username: user?.username,
        email: user?.email,
        "IP address": user?.ip_address,
      }}
    />
  ),
  account: ({ event: { account } }) => (
    <Fields id="account" title="Account" fields={{ ID: account?.id, name: account?.name }} />
  ),
  tags: Tags,
  contexts: Contexts,
  extra: ({ event: { extra } }) => <Fields id="extra" title="Extra" fields={extra} sent closed />,
  ids: ({ event }) => (
    <Fields
      id="ids"
      title="IDs"
      links={{
        trace: event.trace_id ? paths.trace(event.project_id, event.trace_id) : undefined,
        replay: event.replay_id ? paths.replay(event.project_id, event.replay_id) : undefined,
      }}
      fields={{
        event: event.event_id,
        trace: event.trace_id,
        span: event.span_id,
        session: event.session_id,
        window: event.window_id,
        replay: event.replay_id,
        fingerprint: event.fingerprint.length > 0 ? event.fingerprint.join(" · ") : null,
      }}
    />
  ),
};

/** Everything in an event except its stack. */
export const Details = memo(function Details({ event }: Part) {
  return (
    <div className={classes.details}>
      <Changed event={event} />
      <AxisProvider key={`around ${event.id}`} event={event}>
        <EventReplay event={event} />
        <AxisSection event={event} />
        <Breadcrumbs event={event} />
        <TraceLogs event={event} />
      </AxisProvider>
      <div className={classes.facts}>
        {Object.entries(facts).map(([name, Fact]) => (
          <Fact key={`${name} ${event.id}`} event={event} />
        ))}
      </div>
      <RawJson key={`raw ${event.id}`} event={event} />
    </div>
  );
});

function Changed({ event }: Part) {
  const words = changedWords(event);
  if (words.length === 0) return null;
  return (
    <div className={classes.changed} role="note">
      <Info aria-hidden className={classes.icon} />
      <div>
        {words.map((sentence) => (
          <p key={sentence}>
            <Prose text={sentence} />
          </p>
        ))}
      </div>
    </div>
  );
}
