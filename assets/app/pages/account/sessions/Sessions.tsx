import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { endOtherSessions, endSession, sessionsQuery } from "../../../api/people.ts";
import type { Session } from "../../../api/schema.d.ts";
import { Confirm } from "../../../ui/Confirm.tsx";
import { counted } from "../../../ui/format.ts";
import { done } from "../../../ui/notify.ts";
import { TableBones } from "../../../ui/Bones.tsx";
import { Answer } from "../../../ui/States.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import own from "../Account.module.css";
import { deviceOf } from "./device.ts";
import { SessionRow } from "./SessionRow.tsx";

/** Where the person is signed in. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  const [ending, setEnding] = useState<Session | "others">();
  const others = (sessions.data?.sessions ?? []).filter(({ current }) => !current).length;
  return (
    <>
      <div className={classes.spread}>
        <h2>Devices</h2>
        {others > 0 && (
          <Button variant="default" onClick={() => setEnding("others")}>
            Sign out everywhere else…
          </Button>
        )}
      </div>
      <p className={classes.lead}>
        Where you are signed in. If you do not recognize a device, sign it out and change your password. Sign-ins expire
        after 30 days, or after 7 days without use.
      </p>
      <Answer query={sessions} what="Your devices" bones={<TableBones />}>
        {({ sessions: list }) => (
          <>
            <ul className={own.rows}>
              {currentFirst(list).map((session) => (
                <SessionRow key={session.id} session={session} end={() => setEnding(session)} />
              ))}
            </ul>
            {others === 0 && <p className={classes.lead}>You are not signed in anywhere else.</p>}
          </>
        )}
      </Answer>
      <End what={ending} others={others} close={() => setEnding(undefined)} />
    </>
  );
}

const currentFirst = (sessions: Session[]): Session[] => [
  ...sessions.filter(({ current }) => current),
  ...sessions.filter(({ current }) => !current),
];

function End({ what, others, close }: { what: Session | "others" | undefined; others: number; close: () => void }) {
  const cache = useQueryClient();
  const run = async () => {
    if (what === undefined) return;
    if (what === "others") await endOtherSessions();
    else await endSession(what.id);
    await cache.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    done(what === "others" ? "Signed out everywhere else" : "Device signed out");
  };
  const all = what === "others";
  return (
    <Confirm
      opened={what !== undefined}
      close={close}
      title={all ? `Sign out ${counted(others, "other device")}?` : "Sign out device?"}
      action={all ? "Sign out everywhere else" : "Sign out"}
      run={run}
    >
      <p>
        {all || what === undefined
          ? "You will have to sign in again everywhere else."
          : `You will have to sign in again in ${deviceOf(what.user_agent).words}.`}{" "}
        Unsaved changes there may be lost.
      </p>
    </Confirm>
  );
}
