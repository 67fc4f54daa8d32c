import { Info } from "lucide-react";
import { type ComponentType, memo } from "react";
import type { Event } from "../../../api/schema.d.ts";
import { Prose } from "../../../ui/Text.tsx";
import { TraceLogs } from "../logs/TraceLogs.tsx";
import { Breadcrumbs } from "./Breadcrumbs.tsx";
import { changedWords } from "./changed.ts";
import classes from "./Details.module.css";
import { Fields } from "./Fields.tsx";
import { RawJson } from "./RawJson.tsx";

interface Part {
  event: Event;
}

/** The parts of an event below its stack, in their order. Each is nothing when it has nothing to say. */
const parts: Record<string, ComponentType<Part>> = {
  breadcrumbs: Breadcrumbs,
  logs: TraceLogs,
  request: ({ event: { url, user_agent, platform, sdk, environment, release } }) => (
    <Fields
      id="request"
      title="Request and client"
      fields={{
        url,
        "user agent": user_agent,
        release,
        environment,
        platform,
        sdk: [sdk?.name, sdk?.version].filter(Boolean).join(" ") || null,
      }}
    />
  ),
  user: ({ event: { user } }) => (
    <Fields
      id="user"
      title="User"
      fields={{
        id: user?.id,
        name: user?.name,
        username: user?.username,
        email: user?.email,
        "IP address": user?.ip_address,
      }}
    />
  ),
  account: ({ event: { account } }) => <Fields id="account" title="Account" fields={{ ...account }} />,
  tags: ({ event: { tags } }) => <Fields id="tags" title="Tags of this event" fields={tags} />,
  contexts: ({ event: { contexts } }) => <Fields id="contexts" title="Contexts" fields={contexts} />,
  extra: ({ event: { extra } }) => <Fields id="extra" title="Extra" fields={extra} />,
  ids: ({ event }) => (
    <Fields
      id="ids"
      title="Ids"
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
  raw: RawJson,
};

/** Everything an event tells besides its stack. */
export const Details = memo(function Details({ event }: Part) {
  return (
    <div className={classes.details}>
      <Changed event={event} />
      {Object.entries(parts).map(([name, Part]) => (
        <Part key={`${name} ${event.id}`} event={event} />
      ))}
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
