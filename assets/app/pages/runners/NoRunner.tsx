import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { Fragment } from "react";
import { runnersQuery } from "../../api/automation-queries.ts";
import type { Runner } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import note from "../../ui/Note.module.css";
import { oneLine } from "../../ui/visible.ts";
import { isKept, type Needs, refusal } from "./eligibility.ts";

/** Runners that are named. */
const most = 3;

/**
 * Warns that no runner is connected, or why none of them takes `session`; nothing if one does, or if that is unknown.
 */
export function NoRunner({ organization, session }: { organization: number; session?: Needs }) {
  const { data } = useQuery(runnersQuery(organization));
  if (data === undefined) return null;
  if (session && isKept(session)) return <Keeper runner={data.find(({ id }) => id === session.runner_id)} />;
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

/** Only the runner that keeps the work can take such a session. */
function Keeper({ runner }: { runner: Runner | undefined }) {
  if (runner?.status === "online") return null;
  return (
    <p className={note.note} role="note">
      <TriangleAlert aria-hidden />
      <span>
        What was done until now is kept by its runner
        {runner && (
          <>
            {" "}
            <bdi>{oneLine(runner.name)}</bdi>
          </>
        )}
        , which is not online. It waits for that one, at most a day.
      </span>
    </p>
  );
}
