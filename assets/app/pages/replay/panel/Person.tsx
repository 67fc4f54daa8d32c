import type { ReplayDetails } from "../../../api/schema.d.ts";
import { Line } from "../../../ui/Text.tsx";
import { UserReplays } from "../../replays/UserReplays.tsx";
import classes from "./Panel.module.css";

/** The recorded person, and the browser. */
export function Person({ project, replay }: { project: number; replay: ReplayDetails }) {
  const of = (value: unknown, name: string): unknown => (value as Record<string, unknown> | null | undefined)?.[name];
  const facts: [string, unknown][] = [
    ["ID", of(replay.user, "id")],
    ["Name", of(replay.user, "name")],
    ["Username", of(replay.user, "username")],
    ["E-mail", of(replay.user, "email")],
    ["Account", of(replay.account, "name") ?? of(replay.account, "id")],
    ["Browser", replay.user_agent],
    ["Session", replay.session_id],
    ["Window", replay.window_id],
    ["Replay", replay.replay_id],
  ];
  return (
    <>
      <dl className={classes.facts}>
        {facts
          .filter(([, value]) => value !== undefined && value !== null && value !== "")
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Line text={String(value)} />
              </dd>
            </div>
          ))}
      </dl>
      <p className={classes.foot}>
        <UserReplays project={project} user={replay.user} />
      </p>
      {replay.urls.length > 0 && (
        <section className={classes.issues} aria-label="Pages">
          <h2>Pages</h2>
          <ul>
            {replay.urls.map((url) => (
              <li key={url}>
                <Line text={url} mono />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
