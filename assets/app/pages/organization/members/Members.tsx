import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { organizationQuery } from "../../../api/queries.ts";
import type { Organization } from "../../../api/schema.d.ts";
import { counted } from "../../../ui/format.ts";
import { TableBones } from "../../../ui/Bones.tsx";
import { Answer } from "../../../ui/States.tsx";
import { AdminsNote } from "../../../ui/settings/OnlyAdmins.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import { type Asked, Changes } from "./Changes.tsx";
import { Invitations } from "./Invitations.tsx";
import { MemberTable } from "./MemberTable.tsx";

/** Who belongs to the organization, and who has been invited. */
export function Members({ organization }: { organization: Organization }) {
  const { id, role } = organization;
  const details = useQuery(organizationQuery(id));
  const [asked, setAsked] = useState<Asked>();
  return (
    <>
      <div className={classes.spread}>
        <h2>Members</h2>
        {details.data && <span className="muted number">{counted(details.data.members.length, "member")}</span>}
      </div>
      <AdminsNote organization={id} role={role} what="Inviting and managing members" />
      <Answer query={details} what="The members" bones={<TableBones rows={5} />}>
        {({ members }) => <MemberTable organization={id} role={role} members={members} ask={setAsked} />}
      </Answer>
      {role !== "member" && <Invitations organization={id} />}
      <Changes organization={organization} asked={asked} close={() => setAsked(undefined)} />
    </>
  );
}
