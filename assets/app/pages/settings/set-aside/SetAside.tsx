import { Button } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useRights } from "../../../api/role.ts";
import type { Project } from "../../../api/schema.d.ts";
import { deleteAllSetAside, refreshSetAside, setAsideQuery } from "../../../api/set-aside-queries.ts";
import { ConfirmTyped } from "../../../ui/ConfirmTyped.tsx";
import { counted, exact } from "../../../ui/format.ts";
import { done } from "../../../ui/notify.tsx";
import { TableBones } from "../../../ui/Bones.tsx";
import { Answer, Empty, Loading } from "../../../ui/States.tsx";
import { OnlyAdmins } from "../../../ui/settings/OnlyAdmins.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import { SetAsideTable } from "./SetAsideTable.tsx";
import { droppedWords } from "./words.ts";

/** Accepted events that could not be digested: why, and what to do with them. */
export function SetAside({ project }: { project: Project }) {
  const { mayAdminister, role } = useRights(project.id);
  return (
    <>
      <h2>Set aside</h2>
      <p className={classes.lead}>
        Events that were accepted and could not be processed, so they are in no issue. Most often that is a fault of the
        server: try them again after an update, and tell whoever runs it. The newest 1,000 are kept.
      </p>
      <OnlyAdmins project={project.id} what="Seeing, retrying and deleting these events" />
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
  // One that comes or goes while pages are fetched moves the others by a row.
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
              <Empty title="Nothing is set aside">
                <p>Every event that was accepted is in its issue, or on its way there.</p>
              </Empty>
            ) : (
              <>
                <div className={classes.spread}>
                  <span className="muted number">
                    {exact(events.length)} of {counted(last?.total ?? events.length, "event")}
                  </span>
                  <DeleteAll project={project} newest={events[0]?.id ?? 0} total={last?.total ?? 0} />
                </div>
                <SetAsideTable project={project.id} events={events} />
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

/** Deletes what is in sight and what is older; what comes meanwhile stays. */
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
        Delete all
      </Button>
      <ConfirmTyped
        opened={asked !== undefined}
        close={() => setAsked(undefined)}
        title="Delete these events?"
        word={project.name}
        action="Delete all"
        run={run}
      >
        <p>{counted(total, "event")} that were accepted are lost for good. Trying them again later needs them.</p>
      </ConfirmTyped>
    </>
  );
}
