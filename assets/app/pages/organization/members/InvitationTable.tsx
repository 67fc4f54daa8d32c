import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { organizationKeys, resendInvitation, revokeInvitation } from "../../../api/organization-queries.ts";
import type { Invitation } from "../../../api/schema.d.ts";
import { Confirm } from "../../../ui/Confirm.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { done, problem } from "../../../ui/notify.tsx";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import classes from "../../../ui/Table.module.css";
import { oneLine } from "../../../ui/visible.ts";
import { deliveryWords } from "./delivery.ts";
import own from "./Members.module.css";

interface Props {
  organization: number;
  /** For screen readers. */
  label: string;
  invitations: Invitation[];
}

/** Invitations that wait to be accepted, or that nobody accepted in time, a row each. */
export function InvitationTable({ organization, label, invitations }: Props) {
  const [revoking, setRevoking] = useState<Invitation>();
  return (
    <>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">E-mail</th>
            <th scope="col">Role</th>
            <th scope="col">Mail</th>
            <th scope="col">{invitations[0]?.status === "expired" ? "Ended" : "Ends"}</th>
            <th scope="col">
              <span className="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {invitations.map((invitation) => (
            <Row
              key={invitation.id}
              organization={organization}
              invitation={invitation}
              revoke={() => setRevoking(invitation)}
            />
          ))}
        </tbody>
      </table>
      <Revoke organization={organization} of={revoking} close={() => setRevoking(undefined)} />
    </>
  );
}

function Row({
  organization,
  invitation,
  revoke,
}: {
  organization: number;
  invitation: Invitation;
  revoke: () => void;
}) {
  const cache = useQueryClient();
  const email = oneLine(invitation.email);
  const resend = useMutation({
    mutationFn: () => resendInvitation(organization, invitation.id),
    onSuccess: (now) => done(`${email}: a new link was made, the old one is dead; ${deliveryWords(now).text}`),
    onError: (error) => problem("The invitation was not sent again", error),
    onSettled: () => cache.invalidateQueries({ queryKey: organizationKeys.invitations(organization) }),
  });
  const { text, tone } = deliveryWords(invitation);
  const expired = invitation.status === "expired";
  return (
    <tr>
      <td className={classes.main}>
        <Line text={invitation.email} />
        <span className="muted">
          invited <Time at={invitation.created_at} />
          {invitation.invited_by !== null && (
            <>
              {" "}
              by <bdi>{oneLine(invitation.invited_by)}</bdi>
            </>
          )}
        </span>
      </td>
      <td data-label="Role">{invitation.role}</td>
      <td data-label="Mail">
        {expired ? (
          <span className="muted">the link no longer works</span>
        ) : (
          <span className={`${own.mark} ${own.mail}`} data-tone={tone}>
            {text}
          </span>
        )}
      </td>
      <td data-label={expired ? "Ended" : "Ends"}>
        <Time at={invitation.expires_at} />
      </td>
      <td className={classes.action}>
        <span className={own.buttons}>
          {invitation.invite_url !== null && (
            <CopyButton text={invitation.invite_url} label={`Copy the link for ${email}`} />
          )}
          <Button
            size="compact-xs"
            variant="subtle"
            loading={resend.isPending}
            aria-label={`Send again to ${email}`}
            onClick={() => resend.mutate()}
          >
            Send again
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            color="red"
            aria-label={`${expired ? "Remove" : "Revoke"} the invitation of ${email}`}
            onClick={revoke}
          >
            {expired ? "Remove" : "Revoke"}
          </Button>
        </span>
      </td>
    </tr>
  );
}

function Revoke({ organization, of, close }: { organization: number; of: Invitation | undefined; close: () => void }) {
  const cache = useQueryClient();
  const expired = of?.status === "expired";
  const run = async () => {
    if (!of) return;
    await revokeInvitation(organization, of.id);
    await cache.invalidateQueries({ queryKey: organizationKeys.invitations(organization) });
    done(`The invitation of ${oneLine(of.email)} was ${expired ? "removed" : "revoked"}`);
  };
  return (
    <Confirm
      opened={of !== undefined}
      close={close}
      title={expired ? "Remove the invitation?" : "Revoke the invitation?"}
      action={expired ? "Remove" : "Revoke"}
      run={run}
    >
      <p>
        {expired ? "The expired invitation of" : "The link for"} <bdi>{of && oneLine(of.email)}</bdi>{" "}
        {expired ? "leaves this list" : "stops working at once"}. They can be invited again.
      </p>
    </Confirm>
  );
}
