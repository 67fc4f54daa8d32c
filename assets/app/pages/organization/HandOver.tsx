import { Button, Group, Modal, Select, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { handOver } from "../../api/organization-queries.ts";
import { organizationQuery, organizationsQuery, projectsQuery } from "../../api/queries.ts";
import type { Member, Organization, ResetLink } from "../../api/schema.d.ts";
import { ConfirmTyped } from "../../ui/ConfirmTyped.tsx";
import { done } from "../../ui/notify.ts";
import { Snippet } from "../../ui/Snippet.tsx";
import { Time } from "../../ui/Time.tsx";
import { oneLine } from "../../ui/visible.ts";
import classes from "../../ui/settings/Settings.module.css";
import { nameOf } from "./members/people.ts";

/** Makes somebody else the owner; the former owner becomes an admin. */
export function HandOver({
  organization,
  showLink,
}: {
  organization: Organization;
  showLink: (link: NewOwnersLink) => void;
}) {
  const { id } = organization;
  const cache = useQueryClient();
  const details = useQuery(organizationQuery(id));
  const [chosen, setChosen] = useState<string | null>(null);
  const [asked, setAsked] = useState(false);
  const able = (details.data?.members ?? []).filter(({ role, status }) => role !== "owner" && status === "active");
  const heir = able.find((member) => String(member.id) === chosen);
  const run = async () => {
    if (!heir) return;
    const { reset_link } = await handOver(id, heir.id);
    if (reset_link) showLink({ heir, ...reset_link });
    await Promise.all([organizationsQuery, projectsQuery].map(({ queryKey }) => cache.invalidateQueries({ queryKey })));
    done(`${oneLine(nameOf(heir))} now owns the organization`);
    setChosen(null);
  };
  return (
    <section className={classes.part} aria-labelledby="hand-over">
      <h2 id="hand-over">Transfer ownership</h2>
      <div className={classes.spread}>
        <p>
          An organization has one owner. The person you choose becomes the owner and you become an admin. Only they can
          transfer it back.
        </p>
        <Select
          aria-label="New owner"
          placeholder={able.length > 0 ? "New owner" : "No other members"}
          disabled={able.length === 0}
          searchable
          w="14rem"
          data={able.map((member) => ({ value: String(member.id), label: oneLine(nameOf(member)) }))}
          value={chosen}
          onChange={setChosen}
        />
        <Button variant="outline" color="red" disabled={!heir} onClick={() => setAsked(true)}>
          Transfer…
        </Button>
      </div>
      <ConfirmTyped
        opened={asked && heir !== undefined}
        close={() => setAsked(false)}
        title="Transfer ownership?"
        word={heir?.email ?? ""}
        action="Transfer ownership"
        doing="Transferring…"
        run={run}
      >
        <p>
          <bdi>{heir && oneLine(nameOf(heir))}</bdi> becomes the owner of <bdi>{oneLine(organization.name)}</bdi>. You
          become an admin and cannot take ownership back yourself.
        </p>
        {heir?.email_proven === false && (
          <p>
            They have not confirmed <bdi>{heir.email}</bdi> yet, so somebody else may know the password of this account.
            Their password, sign-ins and tokens will end, and you will get a link with which they set a new password.
          </p>
        )}
      </ConfirmTyped>
    </section>
  );
}

export type NewOwnersLink = ResetLink & { heir: Member };

/** Shown only once: with this link, a new owner with an unconfirmed address can sign in. */
export function LinkForOwner({ link, close }: { link: NewOwnersLink; close: () => void }) {
  return (
    <Modal
      opened
      onClose={close}
      title="Link for the new owner"
      size="lg"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack gap="sm">
        <p>
          Give this link to <bdi>{oneLine(nameOf(link.heir))}</bdi> and nobody else: whoever opens it sets the owner’s
          password. It works once, expires at <Time at={link.expires_at} exact />, and is not shown again.
        </p>
        <Snippet label="Password link" text={link.url} />
        <Group justify="flex-end">
          <Button onClick={close}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
