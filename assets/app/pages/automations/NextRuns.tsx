import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { nextRunsQuery } from "../../api/automation-queries.ts";
import { local, utc } from "../../ui/format.ts";

interface Props {
  organization: number;
  cron: string;
  timezone: string;
}

/** How long to wait after a keystroke before asking the server, in milliseconds. */
const rest = 300;

/** The next times of a schedule, in the person's zone; nothing for an incomplete schedule. */
export function NextRuns({ organization, cron, timezone }: Props) {
  const [asked] = useDebouncedValue(`${timezone}\n${cron}`, rest);
  const [zone = "", schedule = ""] = asked.split("\n");
  const isSettled = zone === timezone && schedule === cron;
  const { data } = useQuery(nextRunsQuery(organization, schedule.trim(), zone.trim()));
  return (
    <div role="status">
      {isSettled && data && (
        <>
          <p className="muted">Next calls, in your time zone:</p>
          <ul>
            {data.map((at) => (
              <li key={at}>
                <time className="number" dateTime={at} title={utc(Date.parse(at))}>
                  {local(Date.parse(at))}
                </time>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
