import { ActionIcon, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, Link2, Trash2 } from "lucide-react";
import { useState } from "react";
import { api, ok } from "../../../api/client.ts";
import { issueKeys } from "../../../api/queries.ts";
import type { Issue } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { ConfirmTyped } from "../../../ui/ConfirmTyped.tsx";
import { counted } from "../../../ui/format.ts";
import { done } from "../../../ui/notify.tsx";

/** What is seldom wanted. */
export function More({ issue, copyLink }: { issue: Issue; copyLink: () => void }) {
  const [asking, setAsking] = useState(false);
  const remove = useRemove(issue);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="input-xs" aria-label="More actions">
            <Ellipsis size="1em" aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Link2 size="1em" aria-hidden />} onClick={copyLink}>
            Copy link
          </Menu.Item>
          <Menu.Item color="red" leftSection={<Trash2 size="1em" aria-hidden />} onClick={() => setAsking(true)}>
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmTyped
        opened={asking}
        close={() => setAsking(false)}
        title="Delete the issue"
        word={issue.short_id}
        action="Delete the issue"
        run={remove}
      >
        <p>
          It goes with its {counted(issue.event_count, "event")}, and there is no way back. When it happens again, a new issue
          is made. To be rid of it without losing it, ignore it.
        </p>
      </ConfirmTyped>
    </>
  );
}

function useRemove(issue: Issue) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const path = { project_id: issue.project_id, issue_id: issue.id };
  return async () => {
    await ok(api.DELETE("/api/v1/projects/{project_id}/issues/{issue_id}", { params: { path } }));
    void cache.invalidateQueries({ queryKey: issueKeys.lists(issue.project_id) });
    await navigate({ href: paths.issues(issue.project_id), replace: true });
    cache.removeQueries({ queryKey: issueKeys.one(issue.project_id, issue.id) });
    done(`${issue.short_id} was deleted`);
  };
}
