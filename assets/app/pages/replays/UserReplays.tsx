import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { userSearchOf } from "./words.ts";

/** A link to all replays of a person; nothing without a name. */
export function UserReplays({ project, user }: { project: number; user: unknown }) {
  const search = userSearchOf(user);
  if (search === undefined) return null;
  return <Link to={paths.replays(project, { user: search })}>All replays of this user</Link>;
}
