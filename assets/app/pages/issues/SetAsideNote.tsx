import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { projectQuery } from "../../api/queries.ts";
import { useRights } from "../../api/role.ts";
import { paths } from "../../paths.ts";
import { missingWords } from "../settings/quarantine/words.ts";
import classes from "./Bar.module.css";

/** Tells people who can act on it that events are in quarantine. */
export function SetAsideNote({ project }: { project: number }) {
  const { mayAdminister } = useRights(project);
  const count = useQuery(projectQuery(project)).data?.set_aside ?? 0;
  if (!mayAdminister || count === 0) return null;
  return (
    <p className={classes.note} role="note">
      <TriangleAlert aria-hidden />
      <span>
        {missingWords(count)} <Link to={paths.settings(project, "set-aside")}>See why</Link>
      </span>
    </p>
  );
}
