import { Button, Group, Modal, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { makeResetLink } from "../../../api/organization-queries.ts";
import type { Member } from "../../../api/schema.d.ts";
import { Alarm } from "../../../ui/Alarm.tsx";
import { Snippet } from "../../../ui/Snippet.tsx";
import { Time } from "../../../ui/Time.tsx";
import { oneLine } from "../../../ui/visible.ts";
import { nameOf } from "./people.ts";

/** Makes a link that lets somebody set a password, where mail does not reach them; shown once. */
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
    <Modal
      opened
      onClose={close}
      title="A link that sets a password"
      size="lg"
      closeButtonProps={{ "aria-label": "Close" }}
      {...guard}
    >
      <Stack gap="sm">
        {make.data ? (
          <>
            <p>
              Give it to <bdi>{oneLine(nameOf(member))}</bdi> and nobody else: whoever opens it sets their password. It
              works once, until <Time at={make.data.expires_at} exact />, and is not shown again.
            </p>
            <Snippet label="the link" text={make.data.url} />
          </>
        ) : (
          <p>
            For <bdi>{oneLine(nameOf(member))}</bdi>, when no mail reaches them. The link works once, within a day; when
            it is used, their sessions end. The audit log tells that you made it.
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
              <Button loading={make.isPending} onClick={() => make.mutate()} data-autofocus>
                Make the link
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
