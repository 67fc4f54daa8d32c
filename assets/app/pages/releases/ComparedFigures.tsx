import type { ReactNode } from "react";
import type { ComparedRelease } from "../../api/schema.d.ts";
import { ReleaseLink } from "../../navigation/ReleaseLink.tsx";
import { exact, local } from "../../ui/format.ts";
import { Line } from "../../ui/Text.tsx";
import { Time } from "../../ui/Time.tsx";
import classes from "./Compare.module.css";
import { change, isTooNew, rate } from "./compared.ts";

interface Props {
  project: number;
  release: ComparedRelease;
  base: ComparedRelease;
  /** To an environment. */
  isLimited: boolean;
}

const gone = "Hours of an environment are kept for 30 days before the last event there";

/** The figures of both releases side by side. */
export function ComparedFigures({ project, release, base, isLimited }: Props) {
  const count = (of: (one: ComparedRelease) => number): [ReactNode, ReactNode] => [exact(of(release)), exact(of(base))];
  const known = (of: number | null, why?: string) =>
    of === null ? (
      <span className="muted" title={why}>
        unknown
      </span>
    ) : (
      rate(of)
    );
  // It is compared by the time just before the release came out.
  const isLater = isTooNew(base);
  const ofBase = isLater ? <Later key="base" /> : known(base.events_per_hour, gone);
  // Which issues are new is not counted by environment.
  const everywhere = isLimited ? " in all environments" : "";
  return (
    <table className={classes.figures}>
      <thead>
        <tr>
          <td />
          {[release, base].map(({ version }) => (
            <th key={version} scope="col">
              <ReleaseLink project={project} version={version}>
                <Line text={version} mono />
              </ReleaseLink>
            </th>
          ))}
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        <Row name="Came out" values={[<Out one={release} key="own" />, <Out one={base} key="base" />]} />
        <Row
          name="Events per hour"
          about={compared(release, base)}
          values={[known(release.events_per_hour, gone), ofBase]}
          change={isLater ? undefined : change(release.events_per_hour, base.events_per_hour)}
        />
        <Row
          name="Events per user"
          about="All events of the release by all users it happened to"
          values={[known(release.events_per_user), known(base.events_per_user)]}
          change={change(release.events_per_user, base.events_per_user)}
        />
        <Row name="Users" values={count((one) => one.user_count)} />
        <Row name="Events" values={count((one) => one.event_count)} />
        <Row name="Issues" values={count((one) => one.issue_count)} />
        <Row name={`New issues${everywhere}`} values={count((one) => one.new_issue_count)} />
        <Row name={`Regressed issues${everywhere}`} values={count((one) => one.regression_count)} />
      </tbody>
    </table>
  );
}

/** Which events the rates are of. */
function compared(release: ComparedRelease, base: ComparedRelease): string {
  if (release.from === null || release.to === null || base.from === null || base.to === null) return "";
  const span = (from: string, to: string) => `${local(Date.parse(from))} to ${local(Date.parse(to))}`;
  const events = ({ compared_events: of }: ComparedRelease) => (of === null ? "An unknown number" : exact(of));
  return `${events(release)} from ${span(release.from, release.to)}; ${events(base)} from ${span(base.from, base.to)}: since the release came out, and in as long just before`;
}

const Out = ({ one }: { one: ComparedRelease }) =>
  one.out_at === null ? <span className="muted">not yet</span> : <Time at={one.out_at} />;

const Later = () => (
  <span className="muted" title="It came out after the time that is compared">
    –
  </span>
);

interface RowProps {
  name: string;
  about?: string;
  values: [ReactNode, ReactNode];
  change?: { words: string; isWorse: boolean } | undefined;
}

function Row({ name, about, values, change: by }: RowProps) {
  return (
    <tr title={about}>
      <th scope="row">{name}</th>
      {values.map((value, at) => (
        <td key={at} className="number">
          {value}
        </td>
      ))}
      <td className={by?.isWorse ? `number ${classes.worse}` : "number muted"}>{by?.words}</td>
    </tr>
  );
}
