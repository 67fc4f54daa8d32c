import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { automationsQuery } from "../../api/automation-queries.ts";
import { organizationQuery } from "../../api/queries.ts";
import type { AgentSession } from "../../api/schema.d.ts";
import { paths } from "../../paths.ts";
import { oneLine } from "../../ui/visible.ts";
import { startedBy } from "./words.ts";

interface Props {
  organization: number;
  session: Pick<AgentSession, "automation_id" | "created_by" | "origin">;
}

/** The automation that started a session, with a link to it, or the person. */
export function StartedBy({ organization, session }: Props) {
  const { automation_id, created_by } = session;
  const automations = useQuery({ ...automationsQuery(organization), enabled: automation_id !== null });
  const people = useQuery({
    ...organizationQuery(organization),
    enabled: automation_id === null && created_by !== null,
  });
  const automation = automations.data?.find(({ id }) => id === automation_id);
  const person = people.data?.members.find(({ id }) => String(id) === created_by);
  const { words, name = "" } = startedBy(session, {
    automation: automation?.name,
    person: person && (person.name.trim() || person.email),
  });
  const named = <bdi>{oneLine(name)}</bdi>;
  return (
    <>
      {words}
      {automation ? <Link to={paths.automation(organization, automation.id)}>{named}</Link> : named}
    </>
  );
}
