import { useQuery } from "@tanstack/react-query";
import { activeKeysQuery } from "../../first-steps/keys.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { Answer } from "../../ui/States.tsx";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { FreshKey } from "./FreshKey.tsx";
import { scopesText } from "../settings/key-kinds.ts";
import { CreateKey } from "./CreateKey.tsx";
import { Step } from "./Step.tsx";
import classes from "./Start.module.css";

interface Props {
  project: number;
  /** A key that can only send. */
  shown: string | undefined;
  /** Whether it was created in this tab. */
  isNew: boolean;
  /** Why the project's first key could not be created. */
  problem: unknown;
  mayCreate: boolean;
}

/** The key, or how to get one. */
export function KeyStep({ project, shown, isNew, problem, mayCreate }: Props) {
  return (
    <Step id="key" number={1} title={shown === undefined ? "Get a key" : "Your key"}>
      {shown !== undefined ? (
        <FreshKey text={shown} label="Key" isNew={isNew}>
          It can send events and nothing else, so it may appear in the source of your pages. You can find it here and in
          the settings at any time.
        </FreshKey>
      ) : mayCreate ? (
        <Known project={project} problem={problem} />
      ) : (
        <Asked />
      )}
    </Step>
  );
}

function Asked() {
  return (
    <p className={classes.about}>
      Only owners and admins of the organization create keys. Ask one of them for a browser key for this project, and
      replace the marked text below with it.
    </p>
  );
}

function Known({ project, problem }: { project: number; problem: unknown }) {
  const keys = useQuery(activeKeysQuery(project));
  return (
    <Answer query={keys} what="The keys" rows={2}>
      {(all) => (
        <>
          <Alarm error={problem} what="The project was created, but its first key was not." />
          {all.length === 0 ? (
            <p className={classes.about}>This project has no keys yet. Create one to complete the snippet below.</p>
          ) : (
            <>
              <p className={classes.about}>
                Keys that can do more than send are shown only once. Replace the marked text below with a key you have
                stored, or create a browser key.
              </p>
              <ul className={classes.keys} aria-label="Keys of this project">
                {all.slice(0, 5).map((key) => (
                  <li key={key.id}>
                    <code>{key.prefix}…</code>
                    <Line text={key.name} />
                    <span className={classes.about}>{scopesText(key.scopes)}</span>
                    <span className={classes.about}>
                      {key.last_used_at === null ? (
                        "never used"
                      ) : (
                        <>
                          last used <Time at={key.last_used_at} />
                        </>
                      )}
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
          <CreateKey project={project} use="ingest" label={all.length === 0 ? "Create key" : "Create browser key"} />
        </>
      )}
    </Answer>
  );
}
