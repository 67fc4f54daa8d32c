import { ActionIcon, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Bot, Check, Ellipsis, Link2, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { useRights } from "../../../api/role.ts";
import type { Issue } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { ConfirmTyped } from "../../../ui/ConfirmTyped.tsx";
import { counted } from "../../../ui/format.ts";
import { done } from "../../../ui/notify.ts";
import { LateMenu } from "./LateMenu.tsx";
import { removeIssue } from "../queries.ts";
import { leftOut } from "../report-people.ts";
import { useWithPeople } from "../use-copies.ts";
import classes from "./Actions.module.css";

interface Props {
  issue: Issue;
  copyLink: () => void;
  letAgentLook: () => void;
  /** Leaves the view of the issue after it was deleted; by default, for the list of issues. */
  afterRemove?: (() => Promise<void>) | undefined;
}

/** Rarely used actions. */
export function MoreActions({ issue, copyLink, letAgentLook, afterRemove }: Props) {
  const [asking, setAsking] = useState(false);
  const remove = useRemove(issue, afterRemove);
  const { mayAdminister } = useRights(issue.project_id);
  return (
    <>
      <LateMenu
        position="bottom-end"
        target={
          <ActionIcon size="input-xs" aria-label="More actions" className={classes.more ?? ""}>
            <Ellipsis size="1em" aria-hidden />
          </ActionIcon>
        }
      >
        <Menu.Item leftSection={<Link2 size="1em" aria-hidden />} onClick={copyLink}>
          Copy link to this event
        </Menu.Item>
        <Menu.Item leftSection={<Bot size="1em" aria-hidden />} onClick={letAgentLook}>
          Let an agent look at it…
        </Menu.Item>
        <Menu.Divider />
        <PeopleSwitch />
        {mayAdminister && (
          <>
            <Menu.Divider />
            <Menu.Item
              color="var(--bad)"
              leftSection={<Trash2 size="1em" aria-hidden />}
              onClick={() => setAsking(true)}
            >
              Delete…
            </Menu.Item>
          </>
        )}
      </LateMenu>
      <ConfirmTyped
        opened={asking}
        close={() => setAsking(false)}
        title="Delete issue?"
        word={issue.short_id}
        action="Delete issue"
        run={remove}
      >
        <p>
          This deletes the issue and its {counted(issue.event_count, "event")} for good. If it happens again, a new
          issue is created. To keep it out of sight instead, ignore it.
        </p>
      </ConfirmTyped>
    </>
  );
}

const includeWords = "Include names, e-mail addresses and the account";

/** The switch for people and the account in reports, which is off by default. */
function PeopleSwitch() {
  const [withPeople, setWithPeople] = useWithPeople();
  const about = useId();
  return (
    <div role="group" aria-label="Copy as Markdown">
      <Menu.Label aria-hidden>Copy as Markdown</Menu.Label>
      <Menu.CheckboxItem
        checked={withPeople}
        onChange={setWithPeople}
        checkIcon={<Check size="1em" aria-hidden />}
        title="In what “Copy as Markdown” copies"
        aria-label={includeWords}
        aria-describedby={about}
      >
        {includeWords}
        <span id={about} className={classes.about}>
          Otherwise left out: {leftOut}
        </span>
      </Menu.CheckboxItem>
    </div>
  );
}

function useRemove(issue: Issue, afterRemove: Props["afterRemove"]) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const list = { href: paths.issues(issue.project_id), replace: true, ignoreBlocker: true };
  return async () => {
    await removeIssue(cache, { project: issue.project_id, issue: issue.id }, afterRemove ?? (() => navigate(list)));
    done(`${issue.short_id} was deleted`, null);
  };
}
