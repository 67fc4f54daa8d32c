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

/** How much the server accepts, and what happens to the rest. */
export function Limits({ project }: { project: number }) {
  const limits = useQuery(limitsQuery(project));
  if (isStatus(limits.error, 404)) return <p className={settings.lead}>This server does not publish its limits.</p>;
  return (
    <>
      <h2>Limits</h2>
      <p className={settings.lead}>
        The limits of this instance. Most are fixed, so that no single sender can fill the disk or slow others down.
        Those with a variable are set in the server's environment and take effect when it restarts.
      </p>
      <Answer query={limits} what="The limits" bones={<TableBones rows={12} />}>
        {(found) => (
          <>
            <Alarm
              error={found.disk.refused ?? undefined}
              what="The server is not accepting anything for this project at the moment."
            />
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
            <th scope="col">Limit</th>
            <th scope="col">Above it</th>
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
