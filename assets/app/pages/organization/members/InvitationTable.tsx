import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { invitationsKey } from "../../../api/invitations.ts";
import { resendInvitation, revokeInvitation } from "../../../api/organization-queries.ts";
import type { Invitation } from "../../../api/schema.d.ts";
import { Confirm } from "../../../ui/Confirm.tsx";
import { BusyButton } from "../../../ui/BusyButton.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { done, problem } from "../../../ui/notify.ts";
import { ActionsHead, RowAction } from "../../../ui/RowAction.tsx";
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

/** Pending or expired invitations, one per row. */
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
            <th scope="col">{invitations[0]?.status === "expired" ? "Expired" : "Expires"}</th>
            <ActionsHead />
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
    onSuccess: (now) => done(`New link for ${email}; the old one no longer works. ${deliveryWords(now).text}`),
    onError: (error) => problem("The invitation could not be resent", error),
    onSettled: () => cache.invalidateQueries({ queryKey: invitationsKey(organization) }),
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
          <span className="muted">–</span>
        ) : (
          <span className={`${own.mark} ${own.mail}`} data-tone={tone}>
            {text}
          </span>
        )}
      </td>
      <td data-label={expired ? "Expired" : "Expires"}>
        <Time at={invitation.expires_at} />
      </td>
      <td className={classes.action}>
        <span className={own.buttons}>
          {invitation.invite_url !== null && (
            <CopyButton text={invitation.invite_url} label={`Copy link for ${email}`} />
          )}
          <BusyButton
            size="compact-xs"
            variant="subtle"
            busy={resend.isPending}
            label="Resend"
            doing="Resending…"
            aria-label={`Resend to ${email}`}
            onClick={() => resend.isPending || resend.mutate()}
          />
          <RowAction label={`${expired ? "Delete" : "Revoke"} invitation for ${email}`} danger onClick={revoke}>
            {expired ? "Delete…" : "Revoke…"}
          </RowAction>
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
    await cache.invalidateQueries({ queryKey: invitationsKey(organization) });
    done(`Invitation for ${oneLine(of.email)} ${expired ? "deleted" : "revoked"}`);
  };
  return (
    <Confirm
      opened={of !== undefined}
      close={close}
      title={expired ? "Delete invitation?" : "Revoke invitation?"}
      action={expired ? "Delete invitation" : "Revoke invitation"}
      doing={expired ? "Deleting…" : "Revoking…"}
      run={run}
    >
      <p>
        {expired ? "The expired invitation for" : "The link for"} <bdi>{of && oneLine(of.email)}</bdi>{" "}
        {expired ? "will be deleted" : "will stop working at once"}. You can invite them again.
      </p>
    </Confirm>
  );
}
