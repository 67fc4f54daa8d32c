import type { KindUsage } from "../../../api/schema.d.ts";
import { Bytes } from "../../../ui/Bytes.tsx";
import { bytes, percent } from "../../../ui/format.ts";
import table from "../../../ui/Table.module.css";
import { countWords, kindWords } from "./kinds.ts";
import classes from "./Usage.module.css";

/** The kinds of data side by side, and a table that names them. */
export function KindBar({ kinds, all }: { kinds: KindUsage[]; all: number }) {
  const shown = kinds.filter((part) => part.bytes > 0).toSorted((a, b) => b.bytes - a.bytes);
  return (
    <section aria-labelledby="usage-kinds" className={classes.part}>
      <h3 id="usage-kinds">By kind</h3>
      <div className={classes.bar} aria-hidden>
        {shown.map(({ kind, bytes: size }) => (
          <span
            key={kind}
            className={classes.piece}
            data-kind={kind}
            style={{ flexGrow: size }}
            title={`${kindWords[kind].label}: ${bytes(size)}`}
          />
        ))}
      </div>
      <table className={`${table.table} ${classes.kinds}`} aria-labelledby="usage-kinds">
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col" className={classes.figure}>
              Number
            </th>
            <th scope="col" className={classes.figure}>
              Size
            </th>
            <th scope="col" className={classes.figure}>
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((part) => (
            <tr key={part.kind}>
              <td className={table.main}>
                <span>
                  <span className={classes.swatch} data-kind={part.kind} aria-hidden />
                  {kindWords[part.kind].label}
                </span>
                <span className={classes.about}>{kindWords[part.kind].about}</span>
              </td>
              <td className={`number ${classes.figure}`} data-label={countWords(part) === "" ? undefined : "Number"}>
                {countWords(part)}
              </td>
              <td className={classes.figure} data-label="Size">
                <Bytes of={part.bytes} />
              </td>
              <td className={`number ${classes.figure}`} data-label="Share">
                {percent(part.bytes, all)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
