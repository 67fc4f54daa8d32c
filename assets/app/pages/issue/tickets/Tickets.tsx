import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { checkTicket, connectionsQuery, removeTicket, ticketsQuery } from "../../../api/connection-queries.ts";
import { useRights } from "../../../api/role.ts";
import type { Ticket } from "../../../api/schema.d.ts";
import { paths } from "../../../paths.ts";
import { problem } from "../../../ui/notify.ts";
import { RowAction } from "../../../ui/RowAction.tsx";
import { Answer } from "../../../ui/States.tsx";
import { Line } from "../../../ui/Text.tsx";
import { Section } from "../details/Section.tsx";
import type { Asked } from "./TicketDialogs.tsx";
import classes from "./Tickets.module.css";

const words: Record<Ticket["status"], string> = {
  pending: "being created",
  failed: "not created",
  open: "open",
  closed: "closed",
  gone: "deleted there",
};

interface Props {
  project: number;
  issue: number;
  /** Opens a dialog. It is not rendered here, because this part of the page is folded on a small screen. */
  ask: (what: Asked) => void;
}

/** The tickets of the issue, and the ways to make or attach one. */
export function Tickets({ project, issue, ask }: Props) {
  const { organization, mayAdminister } = useRights(project);
  const id = organization?.id ?? 0;
  const tickets = useQuery(ticketsQuery(project, issue));
  const connections = useQuery({ ...connectionsQuery(id), enabled: organization !== undefined });
  const list = connections.data?.connections;
  const hasTracker = list?.some(({ kind }) => kind !== "slack");
  return (
    <Section
      id="side-tickets"
      title="Tickets"
      tools={
        list !== undefined &&
        list.length > 0 && (
          <>
            {hasTracker && (
              <Button size="compact-xs" variant="default" onClick={() => ask("attach")}>
                Attach…
              </Button>
            )}
            <Button size="compact-xs" variant="default" onClick={() => ask("create")}>
              {hasTracker ? "Create ticket…" : "Share…"}
            </Button>
          </>
        )
      }
    >
      <Answer query={tickets} what="The tickets" rows={1}>
        {({ tickets: all }) =>
          all.length > 0 ? (
            <ul className={classes.tickets} aria-label="Tickets">
              {all.map((ticket) => (
                <Row key={ticket.id} project={project} issue={issue} ticket={ticket} />
              ))}
            </ul>
          ) : (
            <p className="muted">
              {hasTracker === false ? (
                <>
                  No tracker is connected.{" "}
                  {mayAdminister && <Link to={paths.organization(id, "connections")}>Connect one</Link>}
                </>
              ) : (
                "None yet."
              )}
            </p>
          )
        }
      </Answer>
    </Section>
  );
}

function Row({ project, issue, ticket }: { project: number; issue: number; ticket: Ticket }) {
  const cache = useQueryClient();
  const name = ticket.key ?? ticket.title;
  const run = async (what: string, work: () => Promise<unknown>) => {
    try {
      await work();
      await cache.invalidateQueries({ queryKey: ticketsQuery(project, issue).queryKey });
    } catch (error) {
      problem(what, error);
    }
  };
  return (
    <li className={classes.ticket}>
      <span className={classes.name}>
        {ticket.url === null ? (
          <Line text={name} />
        ) : (
          <a href={ticket.url} target="_blank" rel="noreferrer noopener">
            <Line text={name} />
          </a>
        )}
        <span className={classes.state}>
          {ticket.status === "open" || ticket.status === "closed" ? (
            <bdi>{ticket.state ?? words[ticket.status]}</bdi>
          ) : (
            words[ticket.status]
          )}
        </span>
      </span>
      {ticket.key !== null && <Line text={ticket.title} />}
      {ticket.reason !== null && <span className="muted">{ticket.reason}</span>}
      <span className={classes.actions}>
        {ticket.key !== null && ticket.connection_id !== null && (
          <RowAction
            label={`Check ${name} now`}
            onClick={() => void run("The ticket was not checked", () => checkTicket(project, issue, ticket.id))}
          >
            Check
          </RowAction>
        )}
        <RowAction
          label={`Remove ${name} from the issue`}
          onClick={() => void run("The ticket was not removed", () => removeTicket(project, issue, ticket.id))}
        >
          Remove
        </RowAction>
      </span>
    </li>
  );
}
