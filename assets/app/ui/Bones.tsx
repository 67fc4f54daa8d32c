import { Skeleton } from "@mantine/core";
import classes from "./Bones.module.css";

/** Widths of placeholder lines in percent: uneven, like real text. */
const shares = [62, 44, 71, 53, 38, 66, 49, 58];
export const share = (row: number): string => `${shares[row % shares.length]}%`;

/** A grey bar in the place of a line of text. */
export function Bone({ width = "100%", height = "0.75rem" }: { width?: string; height?: string }) {
  return <Skeleton className={classes.bone ?? ""} w={width} h={height} />;
}

/** A placeholder for a form: labels, and fields below them. */
export function FormBones({ fields = 3 }: { fields?: number }) {
  return (
    <div className={classes.form}>
      {Array.from({ length: fields }, (_, field) => (
        <div key={field} className={classes.field}>
          <Bone width="7rem" />
          <Bone height="2.25rem" />
        </div>
      ))}
      <Bone width="6rem" height="1.875rem" />
    </div>
  );
}

/** A placeholder for a table of settings: a name with a line below it, and a value on the right. */
export function TableBones({ rows = 4, columns = 2 }: { rows?: number; columns?: number }) {
  return (
    <div>
      <div className={classes.head} />
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.row}>
          <span className={classes.name}>
            <Bone width={share(row)} />
            <Bone width={share(row + 3)} height="0.625rem" />
          </span>
          {Array.from({ length: columns }, (_, column) => (
            <span key={column} className={classes.cell}>
              <Bone width="4.5rem" />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}

/** A placeholder for a whole page: its title and the beginning of its content. */
export function PageBones() {
  return (
    <div className={classes.page}>
      <div className={classes.title}>
        <Bone width="9rem" height="1.25rem" />
      </div>
      <LineBones rows={6} />
    </div>
  );
}

/** A placeholder for some lines. */
export function LineBones({ rows }: { rows: number }) {
  return (
    <div className={classes.lines}>
      {Array.from({ length: rows }, (_, row) => (
        <Bone key={row} width={share(row)} />
      ))}
    </div>
  );
}
