import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { Fragment } from "react";
import { runnersQuery } from "../../api/automation-queries.ts";
import { paths } from "../../paths.ts";
import note from "../../ui/Note.module.css";
import { oneLine } from "../../ui/visible.ts";
import { type Needs, refusal } from "./takes.ts";

/** Runners that are named. */
const most = 3;

/**
 * Says that no runner is there to do the work, or why none of those that are there takes `session`; nothing while one
 * does, or while that is not known.
 */
export function NoRunner({ organization, session }: { organization: number; session?: Needs }) {
  const { data } = useQuery(runnersQuery(organization));
  if (data === undefined) return null;
  const refusals = data
    .filter(({ status }) => status === "online")
    .map(({ name, ...offer }) => ({ name, why: session && refusal({ name, ...offer }, session) }));
  if (refusals.some(({ why }) => why === undefined)) return null;
  const state = data.length === 0 ? "No runners yet" : "No runner is online";
  return (
    <p className={note.note} role="note">
      <TriangleAlert aria-hidden />
      <span>
        {refusals.length === 0 ? `${state}: sessions wait` : "No runner that is online takes this session: "}
        {refusals.slice(0, most).map(({ name, why }, at) => (
          <Fragment key={name}>
            {at > 0 && "; "}
            <bdi>{oneLine(name)}</bdi> {why && oneLine(why)}
          </Fragment>
        ))}
        {refusals.length > most && "; and others"}
        {refusals.length > 0 && ". It waits"} until one takes {refusals.length > 0 ? "it" : "them"}, at most a day.{" "}
        <Link to={paths.runners(organization)}>{data.length === 0 ? "Add a runner" : "See the runners"}</Link>
      </span>
    </p>
  );
}
