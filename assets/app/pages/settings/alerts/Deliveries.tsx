import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { alertDeliveriesQuery, DELIVERIES_PAGE } from "../../../api/alert-queries.ts";
import { TableBones } from "../../../ui/Bones.tsx";
import { Answer } from "../../../ui/States.tsx";
import classes from "../../../ui/settings/Settings.module.css";
import table from "../../../ui/Table.module.css";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import { oneLine } from "../../../ui/visible.ts";
import { outcome } from "./words.ts";

/** Sent messages and their outcomes. */
export function Deliveries({ project }: { project: number }) {
  const [page, setPage] = useState(0);
  const deliveries = useQuery(alertDeliveriesQuery(project, page));
  return (
    <section className={classes.part} aria-label="Messages">
      <h2 className={classes.heading}>Messages</h2>
      <Answer query={deliveries} what="The messages" bones={<TableBones />}>
        {({ deliveries: list, total }) =>
          total === 0 ? (
            <p className={classes.lead}>No messages in the last 30 days.</p>
          ) : (
            <>
              <table className={table.table} aria-label="Messages">
                <thead>
                  <tr>
                    <th scope="col">Message</th>
                    <th scope="col">Outcome</th>
                    <th scope="col">Time</th>
                  </tr>
                </thead>
                <tbody>
                  {list.map((each) => (
                    <tr key={each.id}>
                      <td className={table.main}>
                        <Line text={each.title} />
                        <span className="muted">
                          <bdi>{oneLine(each.rule_name)}</bdi>, to <bdi>{oneLine(each.channel_name)}</bdi>
                        </span>
                      </td>
                      <td data-label="Outcome">{outcome(each)}</td>
                      <td data-label="Time">
                        <Time at={each.created_at} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {total > DELIVERIES_PAGE && (
                <Group justify="flex-end" component="nav" aria-label="Pages of messages">
                  <Button variant="default" disabled={page === 0} onClick={() => setPage(page - 1)}>
                    Newer
                  </Button>
                  <Button
                    variant="default"
                    disabled={(page + 1) * DELIVERIES_PAGE >= total}
                    onClick={() => setPage(page + 1)}
                  >
                    Older
                  </Button>
                </Group>
              )}
            </>
          )
        }
      </Answer>
    </section>
  );
}
