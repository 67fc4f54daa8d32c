import { useQuery } from "@tanstack/react-query";
import { invitationsQuery } from "../../../api/organization-queries.ts";
import { exact } from "../../../ui/format.ts";
import { Answer } from "../../../ui/states.tsx";
import classes from "../../settings/Settings.module.css";
import { InvitationTable } from "./InvitationTable.tsx";
import { Invite } from "./Invite.tsx";

/** Who is invited and has not come yet, and a form that invites more. */
export function Invitations({ organization }: { organization: number }) {
  const invitations = useQuery(invitationsQuery(organization));
  return (
    <section className={classes.part} aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      <Invite organization={organization} />
      <Answer query={invitations} what="The invitations" rows={2}>
        {({ invitations: pending, total }) => (
          <>
            {pending.length > 0 ? <InvitationTable organization={organization} invitations={pending} /> : <p className={classes.lead}>Nobody is invited at the moment.</p>}
            {total > pending.length && (
              <p className={classes.lead}>
                The newest {exact(pending.length)} of {exact(total)} are shown.
              </p>
            )}
          </>
        )}
      </Answer>
    </section>
  );
}
