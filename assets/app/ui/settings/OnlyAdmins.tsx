import { useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { organizationQuery } from "../../api/queries.ts";
import { useRights } from "../../api/role.ts";
import type { Role } from "../../api/schema.d.ts";
import classes from "./Settings.module.css";
import { helpers } from "./refusal.ts";

/** Tells members why they cannot change anything here, and who can. */
export function OnlyAdmins({ project, what }: { project: number; what: string }) {
  const { organization, role } = useRights(project);
  return <AdminsNote organization={organization?.id ?? 0} role={role} what={what} />;
}

/** The same for a section of an organization. */
export function AdminsNote({
  organization,
  role,
  what,
}: {
  organization: number;
  role: Role | undefined;
  what: string;
}) {
  const details = useQuery({ ...organizationQuery(organization), enabled: role === "member" });
  if (role !== "member") return null;
  return (
    <p className={classes.note} role="note">
      <Lock aria-hidden />
      <span>
        {what} is for owners and admins. You are a member: ask {helpers(details.data?.members ?? [])}.
      </span>
    </p>
  );
}
