import type { KeptBackup } from "../../../api/schema.d.ts";
import { Bytes } from "../../../ui/Bytes.tsx";
import { counted } from "../../../ui/format.ts";
import settings from "../../../ui/settings/Settings.module.css";
import table from "../../../ui/Table.module.css";
import { Line } from "../../../ui/Text.tsx";
import { Time } from "../../../ui/Time.tsx";
import classes from "./Backups.module.css";

/** The backups at the target that can be restored, newest first. */
export function KeptTable({ kept }: { kept: KeptBackup[] }) {
  const all = kept.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  return (
    <section className={settings.part} aria-labelledby="backups-kept">
      <h3 id="backups-kept">At the destination</h3>
      <p className={settings.lead}>
        {counted(kept.length, "backup")} of this instance, <Bytes of={all} /> altogether.
      </p>
      <table className={`${table.table} ${classes.table}`} aria-labelledby="backups-kept">
        <thead>
          <tr>
            <th scope="col">Backup</th>
            <th scope="col">Created</th>
            <th scope="col" className={classes.figure}>
              Size
            </th>
          </tr>
        </thead>
        <tbody>
          {kept.map((backup) => (
            <tr key={backup.name}>
              <td className={`${table.main} ${classes.name}`}>
                <Line text={backup.name} mono />
              </td>
              <td data-label="Created">
                <Time at={backup.created_at} />
              </td>
              <td className={classes.figure} data-label="Size">
                <Bytes of={backup.size_bytes} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
