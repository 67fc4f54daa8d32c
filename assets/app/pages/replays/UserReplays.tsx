import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { userSearchOf } from "./words.ts";

/** Leads to all replays in which somebody was recorded; nothing where nobody is named. */
export function UserReplays({ project, user }: { project: number; user: unknown }) {
  const search = userSearchOf(user);
  if (search === undefined) return null;
  return <Link to={paths.replays(project, { user: search })}>All replays of this user</Link>;
}
