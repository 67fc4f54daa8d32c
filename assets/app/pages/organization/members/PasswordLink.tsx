import { Button, Group, Modal, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { makeResetLink } from "../../../api/organization-queries.ts";
import type { Member } from "../../../api/schema.d.ts";
import { Alarm } from "../../../ui/Alarm.tsx";
import { BusyButton } from "../../../ui/BusyButton.tsx";
import { Snippet } from "../../../ui/Snippet.tsx";
import { Time } from "../../../ui/Time.tsx";
import { oneLine } from "../../../ui/visible.ts";
import { nameOf } from "./people.ts";

/** Creates a link with which somebody sets a password, for when mail does not reach them; shown once. */
export function PasswordLink({
  organization,
  member,
  close,
}: {
  organization: number;
  member: Member;
  close: () => void;
}) {
  const make = useMutation({ mutationFn: () => makeResetLink(organization, member.id), gcTime: 0 });
  const guard = make.data ? { closeOnEscape: false, closeOnClickOutside: false } : {};
  return (
    <Modal opened onClose={close} title="Password link" size="lg" {...guard}>
      <Stack gap="sm">
        {make.data ? (
          <>
            <p>
              Give this link to <bdi>{oneLine(nameOf(member))}</bdi> and nobody else: whoever opens it sets their
              password. It works once, expires at <Time at={make.data.expires_at} exact />, and is not shown again.
            </p>
            <Snippet label="Password link" text={make.data.url} />
          </>
        ) : (
          <p>
            Lets <bdi>{oneLine(nameOf(member))}</bdi> set a new password when mail does not reach them. The link works
            once, within a day, and using it ends their sign-ins. The audit log records that you created it.
          </p>
        )}
        <Alarm error={make.error ?? undefined} />
        <Group justify="flex-end">
          {make.data ? (
            <Button onClick={close}>Done</Button>
          ) : (
            <>
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <BusyButton
                busy={make.isPending}
                label="Create link"
                doing="Creating…"
                onClick={() => make.isPending || make.mutate()}
                data-autofocus
              />
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
