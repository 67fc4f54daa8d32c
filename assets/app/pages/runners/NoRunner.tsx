import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { runnersQuery } from "../../api/automation-queries.ts";
import { paths } from "../../paths.ts";
import note from "../../ui/Note.module.css";

/** Says that no runner is there to do the work; nothing while one is, or while that is not known. */
export function NoRunner({ organization }: { organization: number }) {
  const { data } = useQuery(runnersQuery(organization));
  if (data === undefined || data.some(({ status }) => status === "online")) return null;
  const none = data.length === 0;
  return (
    <p className={note.note} role="note">
      <TriangleAlert aria-hidden />
      <span>
        {none ? "No runners yet" : "No runner is online"}: sessions wait until one takes them, at most a day.{" "}
        <Link to={paths.runners(organization)}>{none ? "Add a runner" : "See the runners"}</Link>
      </span>
    </p>
  );
}
