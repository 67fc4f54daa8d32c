import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MailX } from "lucide-react";
import { useMany } from "../../../api/instance.ts";
import { invitationsQuery } from "../../../api/invitations.ts";
import type { Invitation, InvitationStatus } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { counted, exact } from "../../../ui/format.ts";
import { TableBones } from "../../../ui/Bones.tsx";
import { Answer } from "../../../ui/States.tsx";
import keyClasses from "../../../ui/settings/Keys.module.css";
import classes from "../../../ui/settings/Settings.module.css";
import { InvitationTable } from "./InvitationTable.tsx";
import { Invite } from "./Invite.tsx";

/** Who has been invited and has not joined yet, and a form that invites more. */
export function Invitations({ organization }: { organization: number }) {
  const pending = useInvitations(organization, "pending");
  const expired = useInvitations(organization, "expired");
  return (
    <section className={classes.part} aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      <NoMail organization={organization} invitations={pending.invitations} />
      <Invite organization={organization} />
      <Answer query={pending.query} what="The invitations" bones={<TableBones rows={2} />}>
        {() =>
          pending.total > 0 ? (
            <List organization={organization} label="Pending invitations" of={pending} />
          ) : (
            <p className={classes.lead}>No pending invitations.</p>
          )
        }
      </Answer>
      {expired.total > 0 && (
        <details className={keyClasses.revoked}>
          <summary>{counted(expired.total, "expired invitation")}</summary>
          <List organization={organization} label="Expired invitations" of={expired} />
        </details>
      )}
    </section>
  );
}

type Found = ReturnType<typeof useInvitations>;

function useInvitations(organization: number, status: InvitationStatus) {
  const query = useInfiniteQuery(invitationsQuery(organization, status));
  // An invitation created while pages are fetched shifts the others by a row.
  const rows = new Map(query.data?.pages.flatMap((page) => page.invitations.map((one) => [one.id, one])));
  return { query, invitations: [...rows.values()], total: query.data?.pages.at(-1)?.total ?? 0 };
}

function List({
  organization,
  label,
  of: { query, invitations, total },
}: {
  organization: number;
  label: string;
  of: Found;
}) {
  return (
    <>
      <InvitationTable organization={organization} label={label} invitations={invitations} />
      {query.hasNextPage && (
        <div className={classes.save}>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
          <span className="muted number">
            {exact(invitations.length)} of {exact(total)}
          </span>
        </div>
      )}
      {query.isFetchNextPageError && (
        <p role="alert" className={classes.bad}>
          More could not be loaded. Try again.
        </p>
      )}
    </>
  );
}

/** Says once that invitations cannot be mailed, with a link to the mail settings. */
function NoMail({ organization, invitations }: { organization: number; invitations: Invitation[] }) {
  // With many organizations, none of them administers the server.
  const many = useMany();
  if (!invitations.some(({ delivery_status }) => delivery_status === "skipped")) return null;
  return (
    <p className={classes.note} role="note">
      <MailX aria-hidden />
      <span>
        Mail is not set up, so invitations are not sent: copy each link and pass it on.{" "}
        {many === false && <Link to={paths.organization(organization, "sign-in")}>Set up mail</Link>}
      </span>
    </p>
  );
}
