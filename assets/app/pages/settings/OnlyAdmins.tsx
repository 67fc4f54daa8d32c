import { useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { organizationQuery } from "../../api/queries.ts";
import { useRights } from "../../api/role.ts";
import classes from "./Settings.module.css";
import { helpers } from "./who.ts";

/** Says why somebody cannot change anything here, and who can. Nothing for those who can. */
export function OnlyAdmins({ project, what }: { project: number; what: string }) {
  const { organization, role } = useRights(project);
  const details = useQuery({ ...organizationQuery(organization?.id ?? 0), enabled: role === "member" });
  if (role !== "member") return null;
  return (
    <p className={classes.note} role="note">
      <Lock aria-hidden />
      <span>
        {what} is for owners and admins of the organization. You are a member: ask {helpers(details.data?.members ?? [])}.
      </span>
    </p>
  );
}
