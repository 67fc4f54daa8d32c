import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { deleteRunner, refreshAutomate, runnersQuery } from "../../api/automation-queries.ts";
import { useOrganization } from "../../api/role.ts";
import type { Runner } from "../../api/schema.d.ts";
import { Forbidden } from "../../errors/Missing.tsx";
import { Page } from "../../navigation/Page.tsx";
import { TableBones } from "../../ui/Bones.tsx";
import { Confirm } from "../../ui/Confirm.tsx";
import { done } from "../../ui/notify.ts";
import note from "../../ui/Note.module.css";
import { Answer, Empty } from "../../ui/States.tsx";
import { AdminsNote } from "../../ui/settings/OnlyAdmins.tsx";
import { oneLine } from "../../ui/visible.ts";
import { NewRunner } from "./NewRunner.tsx";
import { RunnerTable } from "./RunnerTable.tsx";

/** The machines on which agents work. */
export default function RunnersPage() {
  const { organizationId } = useParams({ from: "/inside/organizations/$organizationId/runners" });
  const { found, role, mayAdminister } = useOrganization(organizationId);
  const runners = useQuery(runnersQuery(organizationId));
  const [making, setMaking] = useState(false);
  const [deleting, setDeleting] = useState<Runner>();
  if (!found) return <Forbidden what="this organization" />;
  const add = <Button onClick={() => setMaking(true)}>New runner…</Button>;
  const some = (runners.data?.length ?? 0) > 0;
  return (
    <Page section="runners" actions={mayAdminister && some && add}>
      <div className={note.apart}>
        <AdminsNote organization={organizationId} role={role} what="Adding and removing runners" />
      </div>
      <Answer query={runners} what="The runners" bones={<TableBones />}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No runners yet" action={mayAdminister && add}>
              <p>
                A runner is one of your machines on which agents work: it takes sessions, clones the repository, starts
                the agent and pushes what it did. Credentials of repositories and models stay there.
              </p>
            </Empty>
          ) : (
            <RunnerTable runners={list} {...(mayAdminister && { remove: setDeleting })} />
          )
        }
      </Answer>
      <NewRunner organization={organizationId} opened={making} close={() => setMaking(false)} />
      {deleting && <Remove organization={organizationId} runner={deleting} close={() => setDeleting(undefined)} />}
    </Page>
  );
}

function Remove({ organization, runner, close }: { organization: number; runner: Runner; close: () => void }) {
  const cache = useQueryClient();
  return (
    <Confirm
      opened
      close={close}
      title="Delete runner?"
      action="Delete runner"
      doing="Deleting…"
      run={async () => {
        await deleteRunner(organization, runner.id);
        await refreshAutomate(cache, organization);
        done(`Runner ${oneLine(runner.name)} deleted`);
      }}
    >
      <p>
        Its token will be refused at once, and another runner may take the sessions that it has now. This cannot be
        undone.
      </p>
    </Confirm>
  );
}
