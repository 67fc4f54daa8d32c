import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { deleteRepository, refreshAutomate, repositoriesQuery } from "../../api/automation-queries.ts";
import { projectsQuery } from "../../api/queries.ts";
import { useOrganization } from "../../api/role.ts";
import type { Repository } from "../../api/schema.d.ts";
import { Forbidden } from "../../errors/Missing.tsx";
import { SettingsArea } from "../../navigation/SettingsArea.tsx";
import { TableBones } from "../../ui/Bones.tsx";
import { Confirm } from "../../ui/Confirm.tsx";
import { done } from "../../ui/notify.ts";
import note from "../../ui/Note.module.css";
import { Answer, Empty } from "../../ui/States.tsx";
import { AdminsNote } from "../../ui/settings/OnlyAdmins.tsx";
import settings from "../../ui/settings/Settings.module.css";
import { oneLine } from "../../ui/visible.ts";
import { ForAgents } from "./ForAgents.tsx";
import { NewRepository } from "./NewRepository.tsx";
import { RepositoryTable } from "./RepositoryTable.tsx";

/** The repositories in which agents work. */
export default function RepositoriesPage() {
  const { organizationId } = useParams({ from: "/inside/organizations/$organizationId/repositories" });
  const { found, role, mayAdminister } = useOrganization(organizationId);
  const repositories = useQuery(repositoriesQuery(organizationId));
  const projects = useQuery(projectsQuery).data?.filter(({ organization }) => organization.id === organizationId);
  const [making, setMaking] = useState(false);
  const [deleting, setDeleting] = useState<Repository>();
  const [opening, setOpening] = useState<Repository>();
  if (!found) return <Forbidden what="this organization" />;
  const add = <Button onClick={() => setMaking(true)}>Add repository…</Button>;
  const some = (repositories.data?.length ?? 0) > 0;
  return (
    <SettingsArea section="repositories">
      <div className={settings.spread}>
        <h2>Repositories</h2>
        {mayAdminister && some && add}
      </div>
      <div className={note.apart}>
        <AdminsNote organization={organizationId} role={role} what="Adding and removing repositories" />
      </div>
      <Answer query={repositories} what="The repositories" bones={<TableBones />}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No repositories yet" action={mayAdminister && add}>
              <p>
                Add the repositories that your projects are built from: agents work in clones of them on your runners.
                Mayday itself never fetches one.
              </p>
            </Empty>
          ) : (
            <RepositoryTable
              repositories={list}
              projects={projects ?? []}
              {...(mayAdminister && { remove: setDeleting, open: setOpening })}
            />
          )
        }
      </Answer>
      <NewRepository organization={organizationId} opened={making} close={() => setMaking(false)} />
      {opening && <ForAgents organization={organizationId} of={opening} close={() => setOpening(undefined)} />}
      {deleting && <Remove organization={organizationId} of={deleting} close={() => setDeleting(undefined)} />}
    </SettingsArea>
  );
}

function Remove({ organization, of, close }: { organization: number; of: Repository; close: () => void }) {
  const cache = useQueryClient();
  return (
    <Confirm
      opened
      close={close}
      title="Remove repository?"
      action="Remove repository"
      doing="Removing…"
      run={async () => {
        await deleteRepository(organization, of.id);
        await refreshAutomate(cache, organization);
        void cache.invalidateQueries({ queryKey: projectsQuery.queryKey });
        done(`Repository ${oneLine(of.host_repo_name)} removed`);
      }}
    >
      <p>
        Agents no longer work in it, and projects no longer name it. Its sessions stay, and the repository itself is not
        touched.
      </p>
    </Confirm>
  );
}
