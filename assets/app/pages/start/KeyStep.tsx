import { useQuery } from "@tanstack/react-query";
import { Alarm } from "../../ui/Alarm.tsx";
import { Answer } from "../../ui/States.tsx";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import { FreshKey } from "./FreshKey.tsx";
import { liveKeysQuery } from "./keys.ts";
import { CreateKey } from "./CreateKey.tsx";
import { Step } from "./Step.tsx";
import classes from "./Start.module.css";

interface Props {
  project: number;
  /** The text of a key that may only send. */
  shown: string | undefined;
  /** Whether it was made in this tab. */
  isNew: boolean;
  /** Why the project's first key could not be made. */
  problem: unknown;
  mayMake: boolean;
}

/** The key: shown while it is known, else how to get one. */
export function KeyStep({ project, shown, isNew, problem, mayMake }: Props) {
  return (
    <Step id="key" number={1} title={shown === undefined ? "Get a key" : "Your key"}>
      {shown !== undefined ? (
        <FreshKey text={shown} label="Key" isNew={isNew}>
          It may send events and nothing else, so it can stand in the source of your pages. You find it again here and
          in the settings.
        </FreshKey>
      ) : mayMake ? (
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
      Keys are made by an owner or an admin of the organization. Ask one of them for a browser key of this project and
      put it in the place of the marked text below.
    </p>
  );
}

function Known({ project, problem }: { project: number; problem: unknown }) {
  const keys = useQuery(liveKeysQuery(project));
  return (
    <Answer query={keys} what="The keys" rows={2}>
      {(all) => (
        <>
          <Alarm error={problem} what="The project is made, its first key is not." />
          {all.length === 0 ? (
            <p className={classes.about}>This project has no key yet. Make one; the snippet below then has it in it.</p>
          ) : (
            <>
              <p className={classes.about}>
                Of a key that may do more than send, only the beginning is known once it is made. Put one that you kept
                in the place of the marked text below, or make a browser key.
              </p>
              <ul className={classes.keys} aria-label="Keys of this project">
                {all.slice(0, 5).map((key) => (
                  <li key={key.id}>
                    <code>{key.prefix}…</code>
                    <Line text={key.name} />
                    <span className={classes.about}>{key.scopes.join(", ")}</span>
                    <span className={classes.about}>
                      {key.last_used_at === null ? (
                        "never used"
                      ) : (
                        <>
                          used <Time at={key.last_used_at} />
                        </>
                      )}
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
          <CreateKey project={project} use="ingest" label={all.length === 0 ? "Make a key" : "Make a browser key"} />
        </>
      )}
    </Answer>
  );
}
