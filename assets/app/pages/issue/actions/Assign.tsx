import { Button, Combobox, useCombobox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, UserRound } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { meQuery, organizationQuery, projectQuery } from "../../../api/queries.ts";
import type { Issue, Member } from "../../../api/schema.d.ts";
import { Line } from "../../../ui/Text.tsx";
import classes from "./Actions.module.css";
import type { DoChange } from "./use-change.ts";

/** Members that the list shows; the rest are found by typing. */
const shownMax = 50;
const nobody = "nobody";

interface Props {
  issue: Issue;
  change: DoChange;
  /** Opened and closed by the page, too: a key does it. */
  opened: boolean;
  setOpened: (opened: boolean) => void;
}

export function Assign({ issue, change, opened, setOpened }: Props) {
  const [sought, setSought] = useState("");
  const combobox = useCombobox({
    opened,
    onOpenedChange: setOpened,
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setSought("");
    },
  });
  const members = useMembers(issue.project_id, opened);
  const found = members.filter((member) => fits(member, sought)).slice(0, shownMax);
  const offersNobody = sought === "" && issue.assignee !== null;
  const focusSearch = useEffectEvent(() => combobox.focusSearchInput());
  useEffect(() => {
    if (opened) focusSearch();
  }, [opened]);
  // Enter selects the first match.
  const selectFirst = useEffectEvent(() => combobox.selectFirstOption());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new search has another first option
  useEffect(() => {
    if (opened) selectFirst();
  }, [opened, sought, found.length]);
  const choose = (value: string) => {
    const member = members.find(({ id }) => String(id) === value);
    setOpened(false);
    combobox.focusTarget();
    if (member?.id === issue.assignee?.id) return;
    change({ assignee: member?.id ?? null }, member && nameOf(member));
  };
  return (
    <Combobox store={combobox} onOptionSubmit={choose} position="bottom-start" width="16rem">
      <Combobox.Target withAriaAttributes={false}>
        <Button
          variant="subtle"
          color="gray"
          aria-haspopup="listbox"
          aria-expanded={opened}
          leftSection={<UserRound size="1em" aria-hidden />}
          rightSection={<ChevronDown size="1em" aria-hidden />}
          onClick={() => setOpened(!opened)}
          // It closes the list, and does not leave the page, too.
          onKeyDown={(event) => opened && event.key === "Escape" && event.preventDefault()}
        >
          <span className={classes.named}>
            <span className={classes.label}>Assignee: </span>
            <span className={classes.name}>{issue.assignee ? <Line text={nameOf(issue.assignee)} /> : "Nobody"}</span>
          </span>
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
          placeholder="Assign to…"
          aria-label="Search members"
        />
        {found.length > 0 || offersNobody ? (
          <Combobox.Options aria-label="Members" className={classes.members ?? ""}>
            {found.map((member, at) => (
              <Combobox.Option value={String(member.id)} key={member.id} active={member.id === issue.assignee?.id}>
                <Line text={at === 0 && member.isMe ? `${nameOf(member)} (me)` : nameOf(member)} />
              </Combobox.Option>
            ))}
            {offersNobody && <Combobox.Option value={nobody}>Nobody</Combobox.Option>}
          </Combobox.Options>
        ) : (
          // A list without options is not a list.
          <div role="status">
            <Combobox.Empty>{members.length === 0 ? "Loading members…" : "No member found"}</Combobox.Empty>
          </div>
        )}
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** The members of the project's organization, the person first. */
function useMembers(project: number, wanted: boolean): (Member & { isMe: boolean })[] {
  const { data: record } = useQuery(projectQuery(project));
  const { data: me } = useQuery(meQuery);
  const { data } = useQuery({
    ...organizationQuery(record?.organization_id ?? 0),
    enabled: wanted && record !== undefined,
  });
  const mine = me?.kind === "user" ? me.id : undefined;
  return (data?.members ?? [])
    .map((member) => ({ ...member, isMe: member.id === mine }))
    .sort((a, b) => Number(b.isMe) - Number(a.isMe) || nameOf(a).localeCompare(nameOf(b)));
}

const nameOf = ({ name, email }: { name: string; email: string }): string => name.trim() || email;

const fits = (member: Member, sought: string): boolean =>
  `${member.name} ${member.email}`.toLowerCase().includes(sought.trim().toLowerCase());
