import { CircleCheck, CircleDashed, CircleSlash, type LucideIcon } from "lucide-react";
import type { Runner, RunnerStatus } from "../../api/schema.d.ts";
import { Badge } from "../../ui/Badge.tsx";
import { ActionsHead, RowAction } from "../../ui/RowAction.tsx";
import table from "../../ui/Table.module.css";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";

const looks: Record<RunnerStatus, { Icon: LucideIcon; tone: string; word: string; about: string }> = {
  online: { Icon: CircleCheck, tone: "good", word: "online", about: "It asks for sessions" },
  offline: { Icon: CircleSlash, tone: "error", word: "offline", about: "It has said nothing for some minutes" },
  waiting: { Icon: CircleDashed, tone: "quiet", word: "not started", about: "It has never asked for a session" },
};

/** Runners, a row each. */
export function RunnerTable({ runners, remove }: { runners: Runner[]; remove?: (runner: Runner) => void }) {
  return (
    <table className={table.table} aria-label="Runners">
      <thead>
        <tr>
          <th scope="col">Runner</th>
          <th scope="col">State</th>
          <th scope="col">Sessions</th>
          <th scope="col">Labels</th>
          <th scope="col">Last seen</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {runners.map((runner) => (
          <tr key={runner.id}>
            <td className={table.main}>
              <Line text={runner.name} />
              <span className="muted">
                {[runner.platform, runner.version && `version ${runner.version}`].filter(Boolean).join(", ")}
              </span>
              {runner.agents.length > 0 && (
                <span className="muted" title="The agents that it has: it is given no sessions of others">
                  <Line text={runner.agents.join(", ")} />
                </span>
              )}
              {runner.refuses_public && (
                <span className="muted" title="It takes no session whose cause anybody may have written">
                  without rooms
                </span>
              )}
            </td>
            <td data-label="State">
              <State of={runner.status} />
            </td>
            <td className="number" data-label="Sessions" title="Sessions that it has, and the most that it takes">
              {runner.running} of {runner.capacity}
            </td>
            <td data-label="Labels" className="cut">
              {runner.labels.length === 0 ? (
                <span className="muted">none</span>
              ) : (
                <Line text={runner.labels.join(", ")} />
              )}
            </td>
            <td data-label="Last seen">
              {runner.last_seen_at === null ? <span className="muted">never</span> : <Time at={runner.last_seen_at} />}
            </td>
            <td className={table.action}>
              {remove && (
                <RowAction label={`Delete ${runner.name}`} danger onClick={() => remove(runner)}>
                  Delete…
                </RowAction>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function State({ of }: { of: RunnerStatus }) {
  const { Icon, tone, word, about } = looks[of];
  return (
    <Badge Icon={Icon} tone={tone} title={about}>
      {word}
    </Badge>
  );
}
