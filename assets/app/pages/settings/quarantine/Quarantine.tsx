import { Button } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useRights } from "../../../api/role.ts";
import type { Project } from "../../../api/schema.d.ts";
import { deleteAllSetAside, refreshSetAside, setAsideQuery } from "../../../api/set-aside-queries.ts";
import { ConfirmTyped } from "../../../ui/ConfirmTyped.tsx";
import { counted, exact } from "../../../ui/format.ts";
import { done } from "../../../ui/notify.ts";
import { TableBones } from "../../../ui/Bones.tsx";
import { Answer, Empty, Loading } from "../../../ui/States.tsx";
import { OnlyAdmins } from "../../../ui/settings/OnlyAdmins.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import { QuarantineTable } from "./QuarantineTable.tsx";
import { droppedWords } from "./words.ts";

/** Events that were accepted but could not be processed, with the reasons and actions. */
export function Quarantine({ project }: { project: Project }) {
  const { mayAdminister, role } = useRights(project.id);
  return (
    <>
      <h2>Quarantine</h2>
      <p className={classes.lead}>
        Events that Mayday accepted but could not process. They belong to no issue. The usual cause is a fault in the
        server: tell whoever runs it, and retry the events after an update. The newest 1,000 are kept.
      </p>
      <OnlyAdmins project={project.id} what="Viewing, retrying and deleting these events" />
      {role === undefined ? (
        <Loading rows={4} label="Loading the events" />
      ) : (
        mayAdminister && <List project={project} />
      )}
    </>
  );
}

function List({ project }: { project: Project }) {
  const query = useInfiniteQuery(setAsideQuery(project.id));
  // An event that arrives or leaves while pages are fetched shifts the others by a row.
  const rows = new Map(query.data?.pages.flatMap((page) => page.events.map((one) => [one.id, one])));
  const events = [...rows.values()];
  return (
    <Answer query={query} what="The events" bones={<TableBones />}>
      {({ pages }) => {
        const last = pages.at(-1);
        const dropped = droppedWords(last?.dropped ?? 0);
        return (
          <>
            {dropped && <p className={classes.lead}>{dropped}</p>}
            {events.length === 0 ? (
              <Empty title="No events in quarantine">
                <p>All events have been processed. One that cannot be processed appears here with the reason.</p>
              </Empty>
            ) : (
              <>
                <div className={classes.spread}>
                  <span className="muted number">
                    {exact(events.length)} of {counted(last?.total ?? events.length, "event")}
                  </span>
                  <DeleteAll project={project} newest={events[0]?.id ?? 0} total={last?.total ?? 0} />
                </div>
                <QuarantineTable project={project.id} events={events} />
              </>
            )}
            {query.hasNextPage && (
              <div className={classes.save}>
                <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  Show older events
                </Button>
              </div>
            )}
            {query.isFetchNextPageError && (
              <p role="alert" className={classes.bad}>
                The older events could not be loaded. Try again.
              </p>
            )}
          </>
        );
      }}
    </Answer>
  );
}

/** Deletes the events in the list and all older ones; those that arrive in the meantime stay. */
function DeleteAll({ project, newest, total }: { project: Project; newest: number; total: number }) {
  const [asked, setAsked] = useState<number>();
  const cache = useQueryClient();
  const run = async () => {
    const { deleted } = await deleteAllSetAside(project.id, asked ?? newest);
    await refreshSetAside(cache, project.id);
    done(`${counted(deleted, "event")} deleted`);
  };
  return (
    <>
      <Button variant="outline" color="red" size="compact-sm" onClick={() => setAsked(newest)}>
        Delete all…
      </Button>
      <ConfirmTyped
        opened={asked !== undefined}
        close={() => setAsked(undefined)}
        title="Delete all events in quarantine?"
        word={project.name}
        action="Delete all"
        doing="Deleting…"
        run={run}
      >
        <p>{counted(total, "event")} will be deleted for good and cannot be retried later. This cannot be undone.</p>
      </ConfirmTyped>
    </>
  );
}
