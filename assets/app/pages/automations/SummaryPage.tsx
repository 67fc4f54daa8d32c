import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { summaryQuery } from "../../api/automation-queries.ts";
import { useOrganization } from "../../api/role.ts";
import type { AutomationsSummary } from "../../api/schema.d.ts";
import { Forbidden } from "../../errors/Missing.tsx";
import { Page } from "../../navigation/Page.tsx";
import { paths } from "../../paths.ts";
import { TableBones } from "../../ui/Bones.tsx";
import { exact } from "../../ui/format.ts";
import { Answer, Empty } from "../../ui/States.tsx";
import table from "../../ui/Table.module.css";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import classes from "./Automations.module.css";
import { summaryDays } from "./route.ts";
import { costWords, minuteWords } from "./words.ts";

const route = "/inside/organizations/$organizationId/automations/summary";
const columns = [
  "Sessions",
  "Completed",
  "Merged",
  "Closed unmerged",
  "Agent time",
  "Time saved",
  "Cost",
  "Calls skipped",
];

/** The summary of an organization's automations. */
export default function SummaryPage() {
  const { organizationId } = useParams({ from: route });
  const { found } = useOrganization(organizationId);
  const { days = 30 } = useSearch({ from: route });
  const navigate = useNavigate();
  const setDays = (value: string) =>
    void navigate({ to: ".", search: { days: summaryDays.find((days) => String(days) === value) }, replace: true });
  const summary = useQuery(summaryQuery(organizationId, days));
  if (!found) return <Forbidden what="this organization" />;
  const choice = (
    <SegmentedControl
      aria-label="Days"
      size="xs"
      data={summaryDays.map((value) => ({ value: String(value), label: `${value} days` }))}
      value={String(days)}
      onChange={setDays}
    />
  );
  return (
    <Page section="automations-summary" title="What automations did" actions={choice}>
      <Answer query={summary} what="The summary" bones={<TableBones columns={4} />}>
        {(found) => <Summary organization={organizationId} summary={found} />}
      </Answer>
    </Page>
  );
}

function Summary({ organization, summary }: { organization: number; summary: AutomationsSummary }) {
  const figures: [string, string][] = [
    ["Sessions", exact(summary.runs)],
    ["Completed", exact(summary.completed)],
    ["Pull requests", exact(summary.pull_requests)],
    ["Merged", exact(summary.merged)],
    ["Closed unmerged", exact(summary.closed)],
    ["Agent time", minuteWords(summary.minutes, summary.runs)],
    ["Time saved", minuteWords(summary.saved_minutes, summary.merged)],
    ["Cost", costWords(summary.cost_usd, summary.runs)],
    ["Calls skipped", exact(summary.skipped)],
  ];
  if (summary.automations.length === 0) {
    return (
      <Empty title="Nothing to sum up yet">
        <p>
          <Link to={paths.automations(organization)}>Create an automation</Link> to see here what it did.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <dl className={classes.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={`number ${isNothing(value) ? "muted" : ""}`}>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.meaning}>
        Time saved is the agent time of sessions whose pull request was merged; a person may have taken more or less.
      </p>
      <table className={`${table.table} ${classes.summary}`} aria-label="By automation">
        <thead>
          <tr>
            <th scope="col">Automation</th>
            {columns.map((name) => (
              <th key={name} scope="col" className={classes.right}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {summary.automations.map((one) => (
            <tr key={one.automation_id}>
              <td className={table.main}>
                <Link to={paths.automation(organization, one.automation_id)} className="cut">
                  <Line text={one.name} />
                </Link>
                <span className="muted">
                  {one.enabled ? "" : "off, "}
                  {one.last_run_at === null ? (
                    "no session in this time"
                  ) : (
                    <>
                      last session <Time at={one.last_run_at} />
                    </>
                  )}
                </span>
              </td>
              <Figure name="Sessions" value={exact(one.runs)} />
              <Figure name="Completed" value={exact(one.completed)} />
              <Figure
                name="Merged"
                value={one.pull_requests === 0 ? "0" : `${exact(one.merged)} of ${exact(one.pull_requests)}`}
              />
              <Figure name="Closed unmerged" value={exact(one.closed)} />
              <Figure name="Agent time" value={minuteWords(one.minutes, one.runs)} />
              <Figure name="Time saved" value={minuteWords(one.saved_minutes, one.merged)} />
              <Figure name="Cost" value={costWords(one.cost_usd, one.runs)} />
              <Figure name="Calls skipped" value={exact(one.skipped)} />
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Zeros are muted, and what is unknown, so that other values stand out. */
const isNothing = (value: string) => /^(\$?0(\.00)?( s)?|unknown)$/.test(value);

const Figure = ({ name, value }: { name: string; value: string }) => (
  <td
    className={`number ${classes.right} ${isNothing(value) ? "muted" : ""}`}
    data-label={name}
    data-empty={isNothing(value) || undefined}
  >
    {value}
  </td>
);
