import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { Fragment } from "react";
import { isStatus } from "../../api/error.ts";
import { limitsQuery } from "../../api/project-settings.ts";
import { projectQuery } from "../../api/queries.ts";
import { useRights } from "../../api/role.ts";
import type { Limits as Found, ProjectUsage } from "../../api/schema.d.ts";
import { projectUsageQuery } from "../../api/usage-queries.ts";
import { activeKeysQuery } from "../../first-steps/keys.ts";
import { paths } from "../../paths.ts";
import { Bytes } from "../../ui/Bytes.tsx";
import { exact } from "../../ui/format.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { TableBones } from "../../ui/Bones.tsx";
import note from "../../ui/Note.module.css";
import { Answer } from "../../ui/States.tsx";
import { Sentence } from "../../ui/Text.tsx";
import classes from "./Limits.module.css";
import { amount, fullWords, type Section, sectionsOf, sharesOf } from "./limit-words.ts";
import settings from "../../ui/settings/Settings.module.css";

/** The server's limits, and what happens beyond them. */
export function Limits({ project }: { project: number }) {
  const limits = useQuery(limitsQuery(project));
  if (isStatus(limits.error, 404)) return <p className={settings.lead}>This server does not publish its limits.</p>;
  return (
    <>
      <h2>Limits</h2>
      <p className={settings.lead}>
        What this project uses, and how much it may send. Limits that name a variable are set in the server's
        environment and take effect when it restarts; <code>docs/limits.md</code> lists all others.
      </p>
      <Answer query={limits} what="The limits" bones={<TableBones rows={12} />}>
        {(found) => (
          <>
            <Alarm
              error={found.disk.refused ?? undefined}
              what="The server is not accepting anything for this project at the moment."
            />
            <InUse project={project} limits={found} />
            {sectionsOf(found).map((section) => (
              <Table key={section.name} section={section} />
            ))}
          </>
        )}
      </Answer>
    </>
  );
}

/** The project's use of limited resources. */
function InUse({ project, limits }: { project: number; limits: Found }) {
  const { mayAdminister } = useRights(project);
  const usage = useQuery(projectUsageQuery(project));
  const keys = useQuery({ ...activeKeysQuery(project), enabled: mayAdminister }).data;
  const names = useQuery(projectQuery(project)).data?.settings.scrubbing.keys.length;
  const facets = usage.data?.facets;
  const shares = sharesOf(facets, limits);
  const full = fullWords(shares, facets?.full_tags);
  const missing = <span className="muted">{usage.isError ? "unknown" : "…"}</span>;
  return (
    <section aria-labelledby="limits-use">
      <h3 id="limits-use" className={classes.title}>
        In use
      </h3>
      <div className={note.apart} role="status">
        {full && <Full of={full} />}
      </div>
      <dl className={settings.facts}>
        <dt>On the disk</dt>
        <dd>{usage.data ? <Stored of={usage.data} project={project} /> : missing}</dd>
        {mayAdminister && (
          <>
            <dt>Active keys</dt>
            <dd className="number">{keys ? `${exact(keys.length)} of ${exact(limits.project.keys)}` : "…"}</dd>
          </>
        )}
        <dt>Fields to scrub</dt>
        <dd className="number">
          {names === undefined ? "…" : `${exact(names)} of ${exact(limits.project.scrubbed_names)}`}
        </dd>
        {shares.map(({ what, count, most }) => (
          <Fragment key={what}>
            <dt>{what}</dt>
            <dd className="number">{count === undefined ? missing : `${exact(count)} of ${exact(most)}`}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

/** What a project has as many of as are counted. */
function Full({ of }: { of: string }) {
  return (
    <p className={note.note}>
      <CircleAlert aria-hidden />
      <span>
        This project has reached the limit for <Sentence text={of} />. Events keep any further ones, but these are not
        counted, and searches do not find them.
      </span>
    </p>
  );
}

function Stored({ of: { bytes, growth_bytes_per_day: growth }, project }: { of: ProjectUsage; project: number }) {
  return (
    <span>
      <Bytes of={bytes} />
      {growth !== null && (
        <>
          , <Bytes of={growth} signed /> per day
        </>
      )}{" "}
      (<Link to={paths.settings(project, "retention")}>retention</Link>)
    </span>
  );
}

function Table({ section }: { section: Section }) {
  return (
    <section aria-labelledby={`limits-${section.name}`}>
      <h3 id={`limits-${section.name}`} className={classes.title}>
        {section.title}
      </h3>
      {section.about && <p className={settings.lead}>{section.about}</p>}
      <table className={classes.table}>
        <thead className="unseen">
          <tr>
            <th scope="col">What</th>
            <th scope="col">Limit</th>
            <th scope="col">Above the limit</th>
          </tr>
        </thead>
        <tbody>
          {section.rows.map(({ name, what, value, over, variable }) => (
            <tr key={name}>
              <th scope="row">{what}</th>
              <td className={`number ${classes.amount}`} title={`${section.name}.${name} = ${exact(value)}`}>
                {amount(name, value)}
              </td>
              <td className={classes.over}>
                {over}
                {variable && (
                  <>
                    . Set with <code>{variable}</code>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
