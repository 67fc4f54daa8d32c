import { Link } from "@tanstack/react-router";
import { MailX } from "lucide-react";
import { useMany } from "../../../api/instance.ts";
import type { Invitation } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import classes from "../../../ui/settings/Settings.module.css";

/** Says once that invitations cannot be mailed, with a link to the mail settings. */
export function NoMail({ organization, invitations }: { organization: number; invitations: Invitation[] }) {
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
