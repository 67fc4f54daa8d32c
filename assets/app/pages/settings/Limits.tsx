import { useQuery } from "@tanstack/react-query";
import { isStatus } from "../../api/error.ts";
import { limitsQuery } from "../../api/project-queries.ts";
import { exact } from "../../ui/format.ts";
import { Alarm } from "../../ui/Alarm.tsx";
import { TableBones } from "../../ui/Bones.tsx";
import { Answer } from "../../ui/States.tsx";
import classes from "./Limits.module.css";
import { amount, type Section, sectionsOf } from "./limit-words.ts";
import settings from "../../ui/settings/Settings.module.css";

/** What the server takes, and what happens over it. */
export function Limits({ project }: { project: number }) {
  const limits = useQuery(limitsQuery(project));
  if (isStatus(limits.error, 404)) return <p className={settings.lead}>This server does not tell its limits.</p>;
  return (
    <>
      <h2>Limits</h2>
      <p className={settings.lead}>
        The bounds in force on this instance. Most are fixed, so that one sender cannot fill the disk or slow the others
        down; those with a variable are set by whoever runs the server, in its environment, and hold after the next
        start.
      </p>
      <Answer query={limits} what="The limits" bones={<TableBones rows={12} />}>
        {(found) => (
          <>
            <Alarm error={found.disk.refused ?? undefined} what="Nothing of this project is taken in just now." />
            {sectionsOf(found).map((section) => (
              <Table key={section.name} section={section} />
            ))}
          </>
        )}
      </Answer>
    </>
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
            <th scope="col">At most</th>
            <th scope="col">Over it</th>
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
                    . Set by <code>{variable}</code>
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
