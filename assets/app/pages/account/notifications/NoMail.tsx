import { Link } from "@tanstack/react-router";
import { MailX } from "lucide-react";
import { useMany } from "../../../api/instance.ts";
import { useCurrentOrganization } from "../../../navigation/current.ts";
import { paths } from "../../../paths.ts";
import classes from "../../../ui/settings/Settings.module.css";

/** Says that the server cannot send mail, with a link for those who can set it up. */
export function NoMail() {
  // With many organizations, none of them administers the server.
  const many = useMany();
  const organization = useCurrentOrganization();
  const isAdmin = organization !== undefined && organization.role !== "member" && many === false;
  return (
    <p className={classes.note} role="note">
      <MailX aria-hidden />
      <span>
        This server is not set up to send mail, so nothing is sent by e-mail yet.{" "}
        {isAdmin ? (
          <Link to={paths.organization(organization.id, "sign-in")}>Set up mail</Link>
        ) : (
          "Ask an administrator to set it up."
        )}
      </span>
    </p>
  );
}
